"""The environment of Alembic: it uses the connection from the configuration."""

from alembic import context

from duelbook.web.store.database_tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
