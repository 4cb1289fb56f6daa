"""The tests' kit: the cast, fixtures that are kept, visitors, the browser, races."""

from tests.kit.cast import WEDNESDAY as WEDNESDAY
from tests.kit.cast import Take as Take
from tests.kit.cast import seat as seat
from tests.kit.cast import user_of as user_of
from tests.kit.examples import examples as examples
from tests.kit.games import at_the_table as at_the_table
from tests.kit.games import failing as failing
from tests.kit.games import open_at_real_pace as open_at_real_pace
from tests.kit.games import put_in_office as put_in_office
from tests.kit.games import stamped as stamped
from tests.kit.games import write_anew as write_anew
from tests.kit.races import again_while_busy as again_while_busy
from tests.kit.races import all_at_once as all_at_once
from tests.kit.races import take_away_the_lock as take_away_the_lock
from tests.kit.steps import afterwards as afterwards
from tests.kit.steps import around as around
from tests.kit.steps import if_asked as if_asked
from tests.kit.visitors import Visitor as Visitor
from tests.kit.visitors import ask_as_program as ask_as_program
from tests.kit.visitors import figure as figure
from tests.kit.visitors import on_one_line as on_one_line
from tests.kit.visitors import sign_in_client as sign_in_client
from tests.kit.visitors import tight as tight
from tests.kit.visitors import words_of_program as words_of_program
