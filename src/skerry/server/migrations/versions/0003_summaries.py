"""What lists of matches show, and the first state of each match, so that neither needs the rules."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("start", sa.LargeBinary))
    op.add_column("matches", sa.Column("waiting", sa.Integer))
    op.add_column("matches", sa.Column("result", sa.Text))
    op.add_column("actions", sa.Column("waiting", sa.Integer))


def downgrade() -> None:
    with op.batch_alter_table("actions") as actions:
        actions.drop_column("waiting")
    with op.batch_alter_table("matches") as matches:
        for column in ("result", "waiting", "start"):
            matches.drop_column(column)
