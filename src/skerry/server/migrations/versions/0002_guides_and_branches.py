"""Guided first games, and matches that continue another one."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("guide", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("origin", sa.String(24)))


def downgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("origin")
        matches.drop_column("guide")
