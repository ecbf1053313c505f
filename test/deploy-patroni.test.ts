import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './support/source-files.ts'
import { VERSION_MIN } from './torture/patroni/patroni-program.ts'

// Checks the Patroni cluster of deploy/ without a container engine.

const HAPROXY = '/usr/sbin/haproxy'
const compose = read('deploy/compose.patroni.yaml')
const proxy = read('deploy/patroni/haproxy.cfg')
const patroni = read('deploy/patroni/patroni.yaml')

test('the proxy leads to the databases of the Compose file', () => {
  const servers = [...proxy.matchAll(/^ {2}server (\S+) "\$\{(\w+)\}":5432$/gm)]
  assert.equal(servers.length, 3)
  for (const [, name, variable] of servers) {
    assert.match(serviceOf('database'), new RegExp(`^ {6}${variable}: ${name}$`, 'm'))
    assert.match(serviceOf(name), new RegExp(`PATRONI_NAME: ${name}\n`))
    assert.match(serviceOf(name), new RegExp(`PATRONI_POSTGRESQL_CONNECT_ADDRESS: ${name}:5432\n`))
    assert.match(serviceOf(name), new RegExp(`PATRONI_RESTAPI_CONNECT_ADDRESS: ${name}:8008\n`))
  }
})

test('the proxy accepts its configuration, also while the name of a server has no address', {
  skip: existsSync(HAPROXY) ? false : 'HAProxy is not installed: Debian has it in haproxy',
}, () => {
  const env = { DATABASE_1: '127.0.0.1', DATABASE_2: '127.0.0.1', DATABASE_3: 'db-3.invalid' }
  execFileSync(HAPROXY, ['-c', '-f', join(ROOT, 'deploy/patroni/haproxy.cfg')], { env, stdio: 'ignore' })
})

test('the proxy needs no address of a server to start, and looks up addresses while it runs', () => {
  const [, resolvers] = /^ {2}default-server init-addr last,libc,none resolvers (\w+)$/m.exec(proxy) ?? []
  assert.match(proxy, new RegExp(`^resolvers ${resolvers}\n {2}parse-resolv-conf\n`, 'm'))
})

test('the nodes of the Compose file reach the database by the proxy only', () => {
  assert.match(compose, /DATABASE_URL: postgres:\/\/slots@database\/slots\n/)
  assert.match(compose, /depends_on: !override\n {4}database:\n/)
  assert.match(serviceOf('postgres'), /!reset null/)
  const nodes = /^ {2}node-\w+:$/gm
  assert.deepEqual(compose.match(nodes), read('deploy/compose.yaml').match(nodes))
})

test('every container of the cluster drops its capabilities, and no password has a default', () => {
  for (const part of [compose.split('x-database:')[0], compose.split('x-database:')[1], serviceOf('database')]) {
    assert.match(part, /cap_drop:\n +- ALL\n/)
    assert.match(part, /no-new-privileges:true/)
  }
  assert.doesNotMatch(compose, /privileged: |network_mode|docker\.sock|cap_add/)
  const passwords = compose.match(/\$\{\w*PASSWORD[^}]*\}/g) ?? []
  assert.equal(passwords.length, 3)
  for (const use of passwords) assert.match(use, /:\?must be set/)
})

test('the lease of the primary outlasts a failed renewal, and commits are synchronous', () => {
  const [lease, pause, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map((name) =>
    Number(new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(patroni)?.[1]),
  )
  assert.ok(pause + 2 * retry <= lease)
  assert.match(patroni, /^ +synchronous_mode: true$/m)
  assert.match(proxy, /on-marked-down shutdown-sessions/)
})

test('etcd has the intervals with which the cluster is tested, and Patroni a version that keeps confirmed changes', () => {
  const tested = [
    ...read('test/torture/patroni/member.ts').matchAll(/'(heartbeat-interval|election-timeout)': '(\d+)'/g),
  ]
  assert.equal(tested.length, 2)
  for (const [, name, ms] of tested) assert.ok(compose.includes(`${etcdVariable(name)}: "${ms}"\n`), name)
  assert.ok(read('deploy/patroni/Dockerfile').includes(`patroni)" ge ${VERSION_MIN}`))
})

test('each member of etcd starts without a shell, which its image lacks, under the name that the others know', () => {
  assert.doesNotMatch(compose.slice(0, compose.indexOf('  db-1:')), /command:|entrypoint:/)
  const cluster = /ETCD_INITIAL_CLUSTER: (\S+)\n/.exec(compose)?.[1].split(',') ?? []
  assert.equal(cluster.length, 3)
  for (const member of cluster) {
    const [name, peer] = member.split('=')
    const service = serviceOf(name)
    assert.ok(service.includes(`ETCD_NAME: ${name}\n`), name)
    assert.ok(service.includes(`ETCD_INITIAL_ADVERTISE_PEER_URLS: ${peer}\n`), name)
    assert.ok(service.includes(`ETCD_ADVERTISE_CLIENT_URLS: http://${name}:2379\n`), name)
    assert.ok(service.includes(`volumes: ["${name}:/etcd-data"]\n`), name)
  }
})

/** etcd takes each option from a variable, too: `heartbeat-interval` from ETCD_HEARTBEAT_INTERVAL. */
function etcdVariable(option: string): string {
  return `ETCD_${option.toUpperCase().replaceAll('-', '_')}`
}

/** The text of one service. */
function serviceOf(name: string): string {
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nvolumes:'))
  return services.split(/^ {2}(?=\S)/m).find((part) => part.startsWith(`${name}:`)) ?? ''
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
