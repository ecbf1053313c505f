import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import pg from 'pg'

// The peer: the callers' questions on a plain service with PostgreSQL, a connection pool and prepared statements. It checks no key,
// counts no use and validates nothing.

const { values } = parseArgs({ options: { port: { type: 'string' }, database: { type: 'string' } } })
const pool = new pg.Pool({ connectionString: values.database, max: 10 })

type Condition = (put: (value: unknown) => string, value: string) => string

const KM_PER_DEGREE = 111.19
const RADIUS_KM = 25

const CONDITIONS: Readonly<Record<string, Condition>> = {
  city: (put, value) => `city = ${put(value.toLowerCase())}`,
  // A range, because a prepared LIKE cannot use the index.
  postalCode: (put, value) => `postal_code >= ${put(value)} and postal_code < ${put(`${value}~`)}`,
  serviceTypeCode: (put, value) => `service_types @> array[${put(value)}]`,
  specialty: (put, value) => `specialties @> array[${put(value.toLowerCase())}]`,
  acceptingPatients: (put, value) => `(patients is null or patients = ${put(value)})`,
  minDurationMinutes: (put, value) => `minutes >= ${put(value)}`,
  isVirtual: (_put, value) => (value === 'true' ? 'is_virtual' : 'in_person'),
  startAfter: (put, value) => `starts >= ${put(Date.parse(value))}`,
  startBefore: (put, value) => `starts <= ${put(Date.parse(value))}`,
  near(put, value) {
    const [latitude, longitude] = value.split(',').map(Number)
    const [north, east] = [put(latitude), put(longitude)].map((name) => `${name}::float8`)
    const band = RADIUS_KM / KM_PER_DEGREE + 0.001
    const width = band / Math.cos((latitude * Math.PI) / 180) + 0.01
    return `latitude between ${put(latitude - band)} and ${put(latitude + band)}
      and longitude between ${put(longitude - width)} and ${put(longitude + width)}
      and 12742 * asin(sqrt(sin(radians(latitude - ${north}) / 2) ^ 2
        + cos(radians(${north})) * cos(radians(latitude)) * sin(radians(longitude - ${east}) / 2) ^ 2)) <= ${RADIUS_KM}`
  },
}

const PAGE = `select coalesce(string_agg(body, ',' order by starts, id), '')`

/** The statement of each combination of filters, and its name as a prepared one. */
const names = new Map<string, string>()

createServer(async (request, response) => {
  try {
    const body = await answer(new URL(request.url ?? '/', 'http://peer').searchParams)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}).listen(Number(values.port), '127.0.0.1', () => console.log('listening'))

async function answer(search: URLSearchParams): Promise<string> {
  const given: unknown[] = []
  const put = (value: unknown) => `$${given.push(value)}`
  const where = [`state = ${put(search.get('state') ?? '')}`]
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = search.get(name)
    if (value !== null) where.push(condition(put, value))
  }
  if (!search.has('startAfter')) where.push(`ends > ${put(Date.now())}`)
  const [limit, offset] = [put(Number(search.get('limit') ?? 25)), put(Number(search.get('offset') ?? 0))]
  const matching = `from slot_search where ${where.join(' and ')}`
  const page = (
    from: string,
  ) => `${PAGE} from (select starts, id ${from} order by starts, id limit ${limit} offset ${offset}) page
    join slots using (id)`
  // A narrow question is scanned once for both answers; of a wide one, the page is the beginning of an index.
  const isNarrow = search.has('startBefore')
  const text = isNarrow
    ? `with found as materialized (select starts, id ${matching})
       select (select count(*) from found) as total, (${page('from found')}) as slots`
    : `select (select count(*) ${matching}) as total, (${page(matching)}) as slots`
  const name = names.get(text) ?? `q${names.size}`
  names.set(text, name)
  const { rows } = await pool.query({ name, text, values: given })
  return `{"slots":[${rows[0].slots}],"total":${rows[0].total}}`
}
