"""How Alembic reaches the database: over the connection that it is handed."""

from alembic import context

from duelbook.web.store.database_tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
