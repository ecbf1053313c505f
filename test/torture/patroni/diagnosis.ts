import { readFile } from 'node:fs/promises'
import type { Member } from './member.ts'

/** The keys of the cluster in etcd start so: Patroni's `namespace` and `scope`. */
const KEYS = '/service/slots/'

const LINES = 25

/** What an operator would look at: etcd's keys and Patroni's view of each member, and the end of its log. */
export async function diagnose(members: readonly Member[]): Promise<string> {
  const found = await Promise.all(
    members.map(async (member) => [
      `== ${member.name}: keys of its etcd`,
      ...(await keysOf(member).catch((error: unknown) => [String(error)])),
      `== ${member.name}: Patroni's view`,
      await viewOf(member).catch(String),
      `== ${member.name}: log`,
      ...(await readFile(member.log('patroni'), 'utf8')).trimEnd().split('\n').slice(-LINES),
    ]),
  )
  return found.flat().join('\n')
}

/** As this member of etcd has them, even without a majority. */
async function keysOf({ address }: Member): Promise<string[]> {
  // The range of all keys with the prefix ends at the next prefix: '0' follows '/'.
  const range = { key: btoa(KEYS), range_end: btoa(KEYS.replace(/\/$/, '0')), serializable: true }
  const answer = await ask(`http://${address}:2379/v3/kv/range`, { method: 'POST', body: JSON.stringify(range) })
  const { kvs = [] } = JSON.parse(answer) as { kvs?: { key: string; value: string; mod_revision: string }[] }
  return kvs.map(({ key, value, mod_revision: revision }) => `${atob(key)} (${revision}): ${atob(value)}`)
}

function viewOf({ address }: Member): Promise<string> {
  return ask(`http://${address}:8008/cluster`)
}

async function ask(url: string, init: RequestInit = {}): Promise<string> {
  return (await fetch(url, { ...init, signal: AbortSignal.timeout(2000) })).text()
}
