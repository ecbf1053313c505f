import { requireTls } from './require-tls.ts'

/** The supported values of `sslmode`, as in libpq; its `prefer` and `allow` would silently connect without TLS. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * The address of each host in a URL, in order: `postgres://me@a:5432,b/slots` has the hosts a and b, and the rest is the same
 * for both. `sslmode` has its meaning in libpq. Throws for any other URL without repeating it: it may contain a password, and
 * for a public host without TLS.
 */
export function addressesOf(databaseUrl: string): readonly string[] {
  const [, scheme, login, hosts, rest] = PARTS.exec(databaseUrl) ?? refuse()
  return hosts.split(',').map((host) => {
    const address = URL.parse(`${scheme}${login}${host}${rest}`) ?? refuse()
    requireTls(address)
    useLibpqSslMode(address.searchParams)
    markApplication(address.searchParams)
    return address.href
  })
}

/** Scheme, `user:password@`, hosts with their ports, and path with query. */
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)((?:[/?].*)?)$/

function refuse(): never {
  throw new Error(
    'Cannot open store: DATABASE_URL must be like postgres://<user>:<password>@<host>:<port>,<host>:<port>/<database>. Its value is not shown, because it may contain a password',
  )
}

/** Without this, `pg` treats every mode as `verify-full`, and the value `system` as a file name. */
function useLibpqSslMode(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!SSL_MODES.includes(mode)) {
    throw new Error(`Cannot open store: sslmode must be one of ${SSL_MODES.join(', ')}: got "${mode}"`)
  }
  parameters.set('uselibpqcompat', 'true')
  // Without a file, Node's own root certificates apply.
  if (mode === 'verify-full' && parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert')
}

/** `move` and `store renew` find the connections of a service by the beginning of their name. The last of several names applies. */
function markApplication(parameters: URLSearchParams): void {
  const name = parameters.getAll('application_name').at(-1)
  if (name === undefined || name.startsWith('scheduling-slots')) return
  parameters.set('application_name', `scheduling-slots:${name}`)
}
