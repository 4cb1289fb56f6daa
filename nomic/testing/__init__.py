"""The tests' kit: the cast, fixtures that are kept, visitors, the browser, races."""

from nomic.testing.cast import WEDNESDAY as WEDNESDAY
from nomic.testing.cast import Take as Take
from nomic.testing.cast import seat as seat
from nomic.testing.cast import user_of as user_of
from nomic.testing.examples import examples as examples
from nomic.testing.games import an_earlier_version as an_earlier_version
from nomic.testing.games import at_the_table as at_the_table
from nomic.testing.games import open_at_real_pace as open_at_real_pace
from nomic.testing.games import put_in_office as put_in_office
from nomic.testing.games import stamped as stamped
from nomic.testing.races import again_while_busy as again_while_busy
from nomic.testing.races import all_at_once as all_at_once
from nomic.testing.races import take_away_the_lock as take_away_the_lock
from nomic.testing.steps import afterwards as afterwards
from nomic.testing.steps import around as around
from nomic.testing.steps import if_asked as if_asked
from nomic.testing.visitors import Visitor as Visitor
from nomic.testing.visitors import sign_in_client as sign_in_client
from nomic.testing.visitors import tight as tight
