"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seed", sa.String(24), nullable=False),
        sa.Column("owner", sa.String(24)),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("clock", sa.Integer),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("ended", sa.String(40)),
        sa.Column("next", sa.String(24)),
    )
    op.create_index("matches_owner", "matches", ["owner"])
    op.create_index("matches_open", "matches", ["ended", "listed", "created"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(24)),
        sa.Column("bot", sa.String(40)),
    )
    op.create_index("seats_guest", "seats", ["guest"])
    op.create_table(
        "actions",
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64)),
        sa.Column("rows", sa.LargeBinary, nullable=False),
        sa.Column("sealed", sa.Boolean, nullable=False),
        sa.Column("before", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("match", "key", name="actions_key"),
    )
    op.create_index("actions_at", "actions", ["at"])


def downgrade() -> None:
    for table in ("actions", "seats", "matches", "guests", "settings"):
        op.drop_table(table)
