import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import pg from 'pg'

/**
 * A slot is found by each of its states, and by `''` without a state: so every question begins with the equality that all indexes begin
 * with, and is ordered by one of them.
 */
const TABLES = `
  create table slots (id text primary key, body text not null);
  create table slot_search (
    state text not null, starts bigint not null, id text not null, ends bigint not null, minutes integer not null,
    is_virtual boolean not null, in_person boolean not null, patients text, city text, postal_code text,
    specialties text[] not null, service_types text[] not null, latitude float8, longitude float8
  )`

/**
 * Every question has a state and a day, which leave few rows, so service types and specialties are tested on these. With GIN indexes of
 * them, PostgreSQL intersects two bitmaps instead.
 */
const INDEXES = `
  create index on slot_search (state, starts, id) include (ends, minutes, is_virtual, in_person, patients);
  create index on slot_search (state, city, starts, id) include (ends);
  create index on slot_search (state, postal_code, starts, id) include (ends);
  create index on slot_search (latitude, longitude);
  vacuum analyze slots; vacuum analyze slot_search`

/** In SQL, so that PostgreSQL reads each slot once. */
const INSERT = `
  with given as (select slot from jsonb_array_elements($1) slot),
    bodies as (insert into slots select slot->>'id', slot->>'body' from given)
  insert into slot_search
  select state, (slot->>'starts')::bigint, slot->>'id', (slot->>'ends')::bigint, (slot->>'minutes')::integer,
    (slot->>'isVirtual')::boolean,
    (slot->>'inPerson')::boolean and (not (slot->>'isVirtual')::boolean or state in ('', slot->>'home')), slot->>'patients', slot->>'city', slot->>'postalCode',
    array(select jsonb_array_elements_text(slot->'specialties')),
    array(select jsonb_array_elements_text(slot->'serviceTypes')),
    (slot->>'latitude')::float8, (slot->>'longitude')::float8
  from given, jsonb_array_elements_text(slot->'states') state`

const BATCH = 5000

/** Fills an empty database with the slots of an export (`application/x-ndjson`). Returns their number. */
export async function loadPeer(databaseUrl: string, exported: ReadableStream): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(TABLES)
    let rows: object[] = []
    let count = 0
    const store = async () => {
      await client.query(INSERT, [JSON.stringify(rows)])
      count += rows.length
      rows = []
    }
    for await (const line of createInterface({ input: Readable.fromWeb(exported) })) {
      rows.push(rowOf(line))
      if (rows.length === BATCH) await store()
    }
    await store()
    for (const statement of INDEXES.split(';')) await client.query(statement)
    return count
  } finally {
    await client.end()
  }
}

function rowOf(body: string): object {
  const slot = JSON.parse(body)
  const { location = {}, serviceStates = [], modalities = slot.isVirtual ? ['virtual'] : ['in-person'] } = slot
  const [starts, ends] = [Date.parse(slot.start), Date.parse(slot.end)]
  const types: { code?: string }[] = slot.serviceTypes ?? [{ code: slot.serviceTypeCode }]
  return {
    id: slot.id,
    body,
    starts,
    ends,
    minutes: Math.floor((ends - starts) / 60_000),
    states: [...new Set(['', location.state, ...serviceStates])].filter((state) => state !== undefined),
    // In person only there, if it can be attended both ways.
    home: location.state,
    isVirtual: modalities.includes('virtual'),
    inPerson: modalities.includes('in-person'),
    patients: slot.acceptingPatients,
    city: location.city?.toLowerCase(),
    postalCode: location.postalCode,
    specialties: slot.provider?.specialty === undefined ? [] : [slot.provider.specialty.toLowerCase()],
    serviceTypes: types.flatMap(({ code }) => code ?? []),
    latitude: location.latitude,
    longitude: location.longitude,
  }
}
