"""The periods during which a server ran."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table `uptime`; the first period ends with the last event."""
    uptime = op.create_table(
        "uptime",
        sa.Column("began", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("shift", sa.BigInteger, nullable=False),
    )
    at = sa.func.coalesce(sa.func.max(sa.column("at", sa.BigInteger)), 0)
    last = sa.select(at, at, sa.literal(0)).select_from(sa.table("events"))
    op.execute(sa.insert(uptime).from_select(["began", "until", "shift"], last))


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("uptime")
