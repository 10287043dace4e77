"""Invented names for agents, their owners and the validators."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_MANNERS = _words(
    "amber ample austere autumn brisk bronze candid cedar civil clever cobalt copper coral crisp dapper deft "
    "dusty eager early ember fabled fern fleet frosty gallant gentle gilded golden granite hazel hidden humble "
    "indigo ivory jolly keen lively lucid lunar mellow merry misty modest nimble noble olive opal patient placid "
    "plucky polite proud quaint quiet rapid rustic sable scarlet silver solar spry stately steady sunny swift "
    "tidy tranquil umber upbeat velvet vivid wandering willow wily witty"
)

_CREATURES = _words(
    "adder albatross antelope badger beaver bison bittern bobcat buzzard caribou cormorant crane curlew dormouse "
    "dragonfly egret ermine falcon ferret finch gannet gazelle gecko goshawk grouse gull hare harrier hedgehog "
    "heron ibex ibis jackdaw kestrel kingfisher kite lapwing lark leveret lynx magpie marten merlin mole narwhal "
    "newt nightjar ocelot osprey otter owl petrel pika plover puffin quail raven redstart robin salmon sandpiper "
    "shrew shrike skylark snipe sparrow starling stoat stork swallow tapir teal tern thrush trout turnstone vole "
    "wagtail warbler weasel wren"
)

_PLACES = _words(
    "Alder Ashford Beacon Birch Bramble Brook Cairn Causeway Cliff Coppice Dale Drover Elm Fallow Fen Ford "
    "Foundry Garnet Granary Harbour Heath Hollow Inlet Juniper Kiln Lantern Larch Loom Marsh Meadow Mill Moor "
    "Orchard Pier Quarry Quill Reed Ridge Rowan Saltern Shingle Slate Spindle Tarn Thicket Tidewater Timber Weir "
    "Wharf Yarrow"
)

_HOUSES = ("Collective", "Group", "Labs", "Systems", "Works", "Workshop")

_VALIDATORS = _words("Anchor Basalt Compass Delta Estuary Flint Gimbal Halyard Isobar")

_MANNER_STEP, _CREATURE_STEP = 37, 23
"""Coprime to how many there are, so that every pair occurs and neighbours in the field do not sound alike."""


def agent_name(index: int, offset: int) -> str:
    """The name of the `index`th agent ever drawn: no two alike in one field. `offset` makes fields differ."""
    rounds, place = divmod(index, len(_MANNERS) * len(_CREATURES))
    lap, creature = divmod(place, len(_CREATURES))
    manner = (creature * _MANNER_STEP + lap + offset) % len(_MANNERS)
    name = f"{_MANNERS[manner]}-{_CREATURES[(creature * _CREATURE_STEP + offset) % len(_CREATURES)]}"
    return f"{name}-{rounds + 1}" if rounds else name


def owner_name(index: int) -> str:
    """The name of the `index`th owner; owners may repeat, as people who enter several agents do."""
    return f"{_PLACES[index % len(_PLACES)]} {_HOUSES[index // len(_PLACES) % len(_HOUSES)]}"


def validator_name(index: int) -> str:
    """The name of the `index`th validator."""
    return _VALIDATORS[index % len(_VALIDATORS)]
