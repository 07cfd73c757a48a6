"""The server: people and programs play matches over HTTP, against each other and against bots.

From the outside in:

- ``serve``, ``settings``, ``json_logging``: the process
- ``warm_up``, ``compile_game``, ``game_stages``: getting games ready while the server already answers
- ``app``, ``middleware``, ``dependencies``, ``error_handlers``, ``problems``, ``rate_limit``: a request on its way
- ``routes.api``, ``routes.pages``: where requests are answered
- ``services``: everything below, wired together
- ``match_service``, ``seat_service``, ``finished_matches``, ``identity``: what guests can do, and who they are
- ``challenges``, ``challenge_store``: the same deal for several groups, and who may see it
- ``history``, ``history_service``, ``history_store``, ``outcomes``: a guest's matches and what they add up to
- ``sessions``, ``match_session``, ``match_log``: running matches in memory, in step with their logs
- ``bot_runner``, ``decision_clocks``, ``recovery``: what plays when no person does
- ``broadcast``, ``topics``, ``subscriptions``, ``catch_up``: event streams to open pages and programs
- ``presenter``, ``labels``, ``tutorial``, ``replay``: what a seat is shown, as data and as text
- ``renderer``, ``template_environment``, ``templates/``, ``static/``: what a browser is shown
- ``store``, ``log_writer``, ``journal``, ``writer_thread``, ``database``, ``schema``, ``migrations``: what is kept
- ``hub``, ``redis_hub``: several processes beside each other
- ``admin``: housekeeping of the database, beside a running server

An action travels so: route, match service, log writer; once it is on disk, session, broadcaster and bot runner.
"""
