"""What the store's tables are, in SQL that SQLite and PostgreSQL both speak: `on conflict` and not `insert or`, `true` and `false`
for booleans, no scalar `max`, `?` for values. (`real` and `without rowid` are put into PostgreSQL's words as they are read.)"""

from __future__ import annotations

from recollect.table.store.beside import BESIDE, FORMER

VERSION = 7  # of the tables below; an older store is brought up to it, a newer one is refused

SCHEMA = """
create table if not exists house (key text primary key, value text not null);
create table if not exists tables (
  id text primary key, game text not null, version integer not null, digest text not null, options text not null,
  seed text not null, seal text not null, host text not null, listed boolean not null, created real not null,
  moved real not null, acting text not null default '[]', result text, document text, rematch text);
create table if not exists seats (
  id text not null references tables, seat integer not null, kind text not null, mind text, person text, name text not null,
  secret text, shown integer not null default 0, primary key (id, seat)) without rowid;
create table if not exists moves (
  id text not null references tables, n integer not null, seat integer not null, action integer not null, at real not null,
  primary key (id, n)) without rowid;
create table if not exists showing (
  id text not null references tables, seat integer not null, stamp integer not null, since real not null,
  primary key (id, seat)) without rowid;
create index if not exists seats_of on seats (person);
"""
MIGRATIONS = {  # from the version before
    1: """
create index if not exists seats_open on seats (id) where kind = 'open' and person is null;
create index if not exists tables_listed on tables (created) where listed and result is null;
create index if not exists tables_running on tables (moved) where result is null and acting != '[]';
create index if not exists tables_of_host on tables (host) where result is null;
update tables set listed = false where listed and id not in (select id from seats where kind = 'open' and person is null);
""",
    2: """
create table if not exists own (person text primary key, handle text not null unique, hash text not null, made real not null);
create table if not exists rated (
  id text not null references tables, seat integer not null, mu real not null, sigma real not null, primary key (id, seat));
create table if not exists recalled (
  id text not null references tables, seat integer not null, found text not null, primary key (id, seat));
create table if not exists onward (id text primary key references tables, origin text not null, entry integer not null);
create index if not exists tables_finished on tables (moved) where result is not null;
""",
    3: BESIDE,
    4: "create table if not exists portraits (person text primary key, art text not null);",
    5: "delete from recalled;",  # turns of a walk alone are counted now: what was found out is found out again
    6: FORMER,
    7: """
create index if not exists former_at on former (id);
create index if not exists tables_hosted on tables (host);
""",
}
COLUMNS = {"house": 2, "tables": 15, "seats": 8, "moves": 5, "showing": 4}  # what a sound store has
COLUMNS |= {"own": 4, "rated": 4, "recalled": 3, "onward": 3, "manners": 6, "asides": 6, "portraits": 2, "former": 4}
PARTS = ("former", "asides", "manners", "onward", "recalled", "rated", "showing", "moves", "seats", "tables")  # where a table is kept
