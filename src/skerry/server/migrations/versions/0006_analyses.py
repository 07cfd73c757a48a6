"""Analyses of finished matches: those that are kept, and those that are still being made."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("viewpoint", sa.String(12), primary_key=True),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("effort", sa.Integer, nullable=False),
        sa.Column("guest", sa.String(24)),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("runner", sa.String(24)),
        sa.Column("beat", sa.Float),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("result", sa.LargeBinary),
    )
    op.create_index("analyses_state", "analyses", ["state", "asked"])


def downgrade() -> None:
    op.drop_table("analyses")
