"""The Alembic environment: migrations run on the connection that ``database._migrate`` passes in."""

from alembic import context

from skerry.server.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
