"""Members of a club, invitations to it, and claims of players."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.models import ApiKey
from api.serializers.base import Part, PlayerRef
from league.models import Claim, Invitation, Membership, Role
from league.models.invitation import MOST_USES
from people.forms.members import LASTS

ROLES = {role.name.lower(): role for role in Role if role > Role.PUBLIC}
RoleField = serializers.ChoiceField(choices=list(ROLES))
MOST_HOURS = max(hours for hours, _label in LASTS)


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """A member of a club: the user name of the account, its role, and the player it is."""

    account = serializers.CharField(source="user.username")
    role = serializers.SerializerMethodField()
    player = PlayerRef(allow_null=True)

    class Meta:
        model = Membership
        fields = ("id", "account", "role", "joined_at", "player")

    @extend_schema_field(RoleField)
    def get_role(self, member: Membership) -> str:
        return Role(member.role).name.lower()


class RoleSerializer(Part):
    """The role of a member."""

    role = serializers.ChoiceField(choices=list(ROLES))

    def validate_role(self, name: str) -> Role:
        return ROLES[name]


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An invitation; whoever has its `link` can use it."""

    role = serializers.SerializerMethodField()
    player = PlayerRef(allow_null=True)
    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = ("id", "role", "player", "email", "made_at", "ends_at", "most_uses", "n_uses", "link")

    @extend_schema_field(RoleField)
    def get_role(self, invitation: Invitation) -> str:
        return Role(invitation.role).name.lower()

    def get_link(self, invitation: Invitation) -> str | None:
        """Write the link; null for a key that may only read, because whoever has the link gets the role."""
        request = self.context["request"]
        is_reading = getattr(request.auth, "scope", None) == ApiKey.Scope.READ
        return None if is_reading else request.build_absolute_uri(invitation.get_absolute_url())


class NewInvitationSerializer(RoleSerializer):
    """An invitation to make; with a player it is for one person, who becomes that player."""

    hours = serializers.IntegerField(
        min_value=1, max_value=MOST_HOURS, default=24 * 7, help_text="How long it is good for."
    )
    most_uses = serializers.IntegerField(min_value=1, max_value=MOST_USES, default=1)
    email = serializers.EmailField(default="", allow_blank=True, help_text="Where the link is mailed to.")
    player_id = serializers.IntegerField(required=False, min_value=1)


class ClaimSerializer(serializers.ModelSerializer[Claim]):
    """An account that says which player it is."""

    account = serializers.CharField(source="user.username")
    player = PlayerRef()

    class Meta:
        model = Claim
        fields = ("id", "account", "player")


class ClaimAnswerSerializer(Part):
    """Whether a claim is approved."""

    is_approved = serializers.BooleanField()
