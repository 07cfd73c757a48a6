"""Challenges, who has seen their deals, and which matches guests have archived or deleted from their history."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("challenge", sa.String(24)))
    op.add_column("matches", sa.Column("known", sa.Boolean))
    op.create_index("matches_challenge", "matches", ["challenge"])
    op.create_index("matches_seed", "matches", ["seed"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seed", sa.String(24), nullable=False),
        sa.Column("owner", sa.String(24)),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("day", sa.String(10)),
        sa.Column("level", sa.String(40)),
        sa.UniqueConstraint("game", "day", "level", name="challenges_day"),
    )
    op.create_index("challenges_owner", "challenges", ["owner"])
    op.create_table(
        "challenge_guests",
        sa.Column("challenge", sa.String(24), sa.ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("guest", sa.String(24), primary_key=True),
        sa.Column("match", sa.String(24), nullable=False),
        sa.Column("again", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("challenge_guests_guest", "challenge_guests", ["guest"])
    op.create_table(
        "shelf",
        sa.Column("guest", sa.String(24), primary_key=True),
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("mark", sa.String(12), nullable=False),
    )
    op.create_index("shelf_match", "shelf", ["match"])


def downgrade() -> None:
    for table in ("shelf", "challenge_guests", "challenges"):
        op.drop_table(table)
    op.drop_index("matches_seed", "matches")
    op.drop_index("matches_challenge", "matches")
    with op.batch_alter_table("matches") as matches:
        for column in ("known", "challenge"):
            matches.drop_column(column)
