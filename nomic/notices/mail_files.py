"""Letters as files in a folder, where no mail server is named: they hold links that let in whoever
opens them, so nobody else on the machine reads them."""

import os
from typing import Any

from django.core.mail.backends import filebased

_FOLDER, _FILE = 0o700, 0o600


class EmailBackend(filebased.EmailBackend):
    """Django's, with a folder and files of its user's alone; a folder that was there is closed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        os.chmod(self.file_path, _FOLDER)

    def open(self) -> bool:
        if self.stream is not None:
            return False

        def opener(name: str, flags: int) -> int:
            return os.open(name, flags, _FILE)

        self.stream = open(self._get_filename(), "ab", opener=opener)  # noqa: SIM115 - as Django does
        return True
