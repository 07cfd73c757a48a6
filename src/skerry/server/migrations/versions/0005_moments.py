"""Who turns every card by hand, and which seats ask the table to wait."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guests", sa.Column("by_hand", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("stance", sa.Text))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("stance")
    with op.batch_alter_table("guests") as guests:
        guests.drop_column("by_hand")
