/** What `sslmode` may be: libpq's words for what can be kept here. Its `prefer` and `allow` would go on without TLS unasked. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * The address of each host that a URL names, in order: of `postgres://me@a:5432,b/slots` those of a and of b. The rest is
 * the same for all. Their `sslmode` means what it means to libpq.
 *
 * Throws for what is no such URL, without repeating it: it may hold a password.
 */
export function addressesOf(databaseUrl: string): readonly string[] {
  const [, scheme, login, hosts, rest] = PARTS.exec(databaseUrl) ?? refuse()
  return hosts.split(',').map((host) => {
    const address = URL.parse(`${scheme}${login}${host}${rest}`) ?? refuse()
    speakAsLibpq(address.searchParams)
    return address.href
  })
}

/** Scheme, `user:password@`, hosts with their ports, and path with query. */
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)((?:[/?].*)?)$/

function refuse(): never {
  throw new Error(
    'Cannot open store: DATABASE_URL must be like postgres://<user>:<password>@<host>:<port>,<host>:<port>/<database>: got another form',
  )
}

/** Without this, `pg` takes every mode for `verify-full`, and the word `system` for the name of a file. */
function speakAsLibpq(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!SSL_MODES.includes(mode)) {
    throw new Error(`Cannot open store: sslmode must be one of ${SSL_MODES.join(', ')}: got "${mode}"`)
  }
  parameters.set('uselibpqcompat', 'true')
  // The certificates that Node trusts are used when none is named.
  if (mode === 'verify-full' && parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert')
}
