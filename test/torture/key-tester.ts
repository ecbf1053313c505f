import { setTimeout as sleep } from 'node:timers/promises'
import { noteFault } from './figures.ts'
import { LOSS, RECONNECTING, STARVED } from './outages.ts'
import type { Answer, TortureNode } from './torture-node.ts'
import { anyReady, type TortureRun } from './torture-run.ts'

/** The most active keys: at this number, one is revoked before the next is created. */
const ACTIVE_MAX = 20

const PAUSE_MS = 120

/** The longest that a node may take to learn of a change: later counts as never. */
const LEARNED_MS_MAX = 10_000

const ASK_EVERY_MS = 15

/** The share of rounds in which keys whose creation was not confirmed are revoked, and how long ago each must have been listed first. */
const SWEEP_SHARE = 0.03
const UNCONFIRMED_MS = 30_000

/** Keys are used by callers from this age on: every node must know them then. */
const KNOWN_AFTER_MS = 1000

interface Key {
  readonly id: string
  readonly secret: string
  readonly createdAtMs: number
  readonly createdOn: string
}

/**
 * Creates and revokes keys by the dashboard API of random nodes, and checks that all nodes apply each change.
 *
 *     creation confirmed ──▶ active: accepted by every node until it is revoked
 *     revocation confirmed ──▶ revoked: refused by every node within a second, permanently
 *
 * A change that was not confirmed may have been made or not, so its key is not checked.
 */
export class KeyTester {
  readonly #run: TortureRun
  readonly #session: Session
  readonly #active = new Map<string, Key>()
  readonly #revoked: Key[] = []
  /** By id, when a key without a confirmed creation was listed first: the clock of the node that created it may be wrong. */
  readonly #unconfirmedSinceMs = new Map<string, number>()

  private constructor(run: TortureRun, session: Session) {
    this.#run = run
    this.#session = session
  }

  /** Signs up, creates an organization and the first key. */
  static async open(run: TortureRun): Promise<KeyTester> {
    const tester = new KeyTester(run, await Session.open(run.nodes[0]))
    for (let tries = 0; tester.#active.size === 0 && tries < 5; tries++) await tester.#create()
    return tester
  }

  /** The secret of a random key that every node must accept. */
  any(): string | undefined {
    const untilMs = performance.now() - KNOWN_AFTER_MS
    const known = [...this.#active.values()].filter(({ createdAtMs }) => createdAtMs < untilMs)
    return known[Math.floor(Math.random() * known.length)]?.secret
  }

  /** Whether the test has not begun to revoke a key. */
  isActive(secret: string): boolean {
    return this.#active.has(secret)
  }

  /** Whether nodes need not know an active key yet, because the database became unavailable soon after its creation. */
  mayBeUnknown(secret: string): boolean {
    const key = this.#active.get(secret)
    if (key === undefined) return false
    const nowMs = performance.now()
    const isRecent = nowMs - this.#reachableFromMs(key.createdAtMs) < LEARNED_MS_MAX
    return isRecent && this.#run.outages.during(key.createdAtMs - 1000, nowMs, ['database'])
  }

  /** The key of a secret, its age and the node that created it. */
  describe(secret: string): string {
    const key = this.#active.get(secret)
    const ageMs = Math.round(performance.now() - (key?.createdAtMs ?? Number.NaN))
    return `key ${key?.id}, which was created ${ageMs} ms ago on ${key?.createdOn}`
  }

  /** Changes keys until the run ends. */
  async changeKeys(): Promise<void> {
    while (!this.#run.signal.aborted) {
      if (this.#active.size > 3 && Math.random() < this.#active.size / ACTIVE_MAX / 1.5) await this.#revoke()
      else if (this.#active.size < ACTIVE_MAX) await this.#create()
      await this.#checkRevoked()
      if (Math.random() < SWEEP_SHARE) await this.#sweep()
      await sleep(PAUSE_MS * Math.random() * 2)
    }
  }

  /** Checks every active and every revoked key on every node. */
  async checkAll(): Promise<void> {
    const { nodes, figures } = this.#run
    for (const node of nodes) {
      for (const key of this.#active.values()) {
        if (await isAccepted(node, key)) continue
        figures.keysLost++
        noteFault(figures, `${node.name} refuses ${key.id} at the end, which was not revoked`)
      }
      for (const key of this.#revoked) await this.#checkRevokedKey(node, key)
    }
  }

  async #create(): Promise<void> {
    const { figures } = this.#run
    const done = await this.#change('', { name: 'torture' })
    if (done === undefined) return
    const { key, secret } = JSON.parse(done.answer.body)
    if (this.#mayBeLost()) {
      // Otherwise the limit of active keys is reached.
      await this.#session.post(done.node, `/${key.id}/revoke`, {}).catch(() => undefined)
      return
    }
    const created = { id: key.id, secret, createdAtMs: performance.now(), createdOn: done.node.name }
    this.#active.set(secret, created)
    figures.keysCreated++
    if (!(await this.#untilAll(created, true))) figures.keysLost++
  }

  /** Revokes keys whose creation was never confirmed, because an organization has a limit. */
  async #sweep(): Promise<void> {
    const node = anyReady(this.#run.nodes)
    if (node === undefined) return
    const nowMs = performance.now()
    const listed = await this.#session.list(node).catch(() => undefined)
    const known = new Set([...this.#active.values()].map(({ id }) => id))
    for (const { id, revokedAtMs } of listed ?? []) {
      if (revokedAtMs !== undefined || known.has(id)) continue
      const sinceMs = this.#unconfirmedSinceMs.get(id) ?? nowMs
      this.#unconfirmedSinceMs.set(id, sinceMs)
      if (nowMs - sinceMs < UNCONFIRMED_MS) continue
      await this.#session.post(node, `/${id}/revoke`, {}).catch(() => undefined)
    }
  }

  async #revoke(): Promise<void> {
    const { figures } = this.#run
    const secret = this.any()
    const key = secret === undefined ? undefined : this.#active.get(secret)
    if (key === undefined) return
    this.#active.delete(key.secret)
    if ((await this.#change(`/${key.id}/revoke`, {})) === undefined) return
    if (this.#mayBeLost()) return
    figures.keysRevoked++
    if (!(await this.#untilAll(key, false))) figures.keysRevived++
    this.#revoked.push(key)
  }

  /** The response and its node; undefined if the change was not confirmed. */
  async #change(path: string, body: object): Promise<{ node: TortureNode; answer: Answer } | undefined> {
    const { nodes, figures } = this.#run
    const node = anyReady(nodes)
    if (node === undefined) return undefined
    const answer = await this.#session.post(node, path, body).catch(() => undefined)
    if (answer !== undefined && answer.status < 300) {
      figures.keyChanges++
      return { node, answer }
    }
    figures.keysRefused++
    if (answer !== undefined && answer.status !== 503) {
      figures.keysFailed++
      noteFault(figures, `${node.name} answered a change of keys with ${answer.status}: ${answer.body.slice(0, 200)}`)
    }
    return undefined
  }

  /** Polls all nodes until each accepts or refuses the key, as wanted. False if one does not in time. */
  async #untilAll(key: Key, wanted: boolean): Promise<boolean> {
    const { nodes, outages, figures } = this.#run
    const fromMs = performance.now()
    const learned = await Promise.all(
      nodes.map(async (node) => {
        if (!node.isReady) return true
        const { life } = node
        while (performance.now() < this.#reachableFromMs(fromMs) + LEARNED_MS_MAX) {
          const isIn = await isAccepted(node, key).catch(() => undefined)
          // A node that was killed reads all keys when it restarts.
          if (life !== node.life) return true
          const nowMs = performance.now()
          if (isIn === wanted) {
            const isDisturbed = outages.during(fromMs - 1000, nowMs, ['database', RECONNECTING, STARVED])
            if (wanted) figures.creations.note(nowMs - fromMs, isDisturbed)
            else {
              figures.revocations.note(nowMs - fromMs, isDisturbed)
              figures.lateRevocations.note(Math.max(0, nowMs - this.#reachableFromMs(fromMs)), isDisturbed)
            }
            return true
          }
          await sleep(ASK_EVERY_MS)
        }
        noteFault(
          figures,
          `${node.name} did not learn within ${LEARNED_MS_MAX} ms that ${key.id} was ${wanted ? 'created' : 'revoked'}`,
        )
        return false
      }),
    )
    return learned.every((each) => each)
  }

  /** When nodes could first learn of a change made at a time: not while the database is unavailable. */
  #reachableFromMs(changedMs: number): number {
    const { outages } = this.#run
    const nowMs = performance.now()
    const isDisturbed = outages.during(changedMs - 1000, nowMs, ['database'])
    return isDisturbed ? Math.max(changedMs, Math.min(nowMs, outages.endMs(['database']))) : changedMs
  }

  /** Whether a change that is confirmed now may be lost, so that it is not checked. */
  #mayBeLost(): boolean {
    const nowMs = performance.now()
    return this.#run.outages.during(nowMs, nowMs, [LOSS])
  }

  async #checkRevoked(): Promise<void> {
    const node = anyReady(this.#run.nodes)
    const key = this.#revoked[Math.floor(Math.random() * this.#revoked.length)]
    if (node !== undefined && key !== undefined) await this.#checkRevokedKey(node, key)
  }

  async #checkRevokedKey(node: TortureNode, key: Key): Promise<void> {
    if ((await isAccepted(node, key).catch(() => undefined)) !== true) return
    this.#run.figures.keysRevived++
    noteFault(this.#run.figures, `${node.name} accepts ${key.id}, which was revoked`)
  }
}

async function isAccepted(node: TortureNode, { secret }: Key): Promise<boolean | undefined> {
  const { status } = await node.ask('/v1/scheduling/slots?limit=1', {
    headers: { authorization: `Bearer ${secret}` },
  })
  return status === 200 ? true : status === 401 ? false : undefined
}

interface ListedKey {
  readonly id: string
  readonly revokedAtMs?: number
}

/** A signed-in person. The session is valid on all nodes, because it is in the store. */
class Session {
  readonly #cookie: string
  readonly #organization: string

  private constructor(cookie: string, organization: string) {
    this.#cookie = cookie
    this.#organization = organization
  }

  static async open(node: TortureNode): Promise<Session> {
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    const signedUp = await post(node, '/api/auth/sign-up/email', person, '')
    const cookie = [signedUp.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0])
    const created = await post(node, '/api/organizations', { name: 'Torture' }, cookie.join('; '))
    const { id } = JSON.parse(created.body)
    if (id === undefined) throw new Error(`Cannot go on: the organization was not created: got ${created.body}`)
    return new Session(cookie.join('; '), id)
  }

  /** The organization's keys; undefined if the node did not list them. */
  async list(node: TortureNode): Promise<ListedKey[] | undefined> {
    const { status, body } = await node.ask(`/api/organizations/${this.#organization}/keys`, {
      headers: { cookie: this.#cookie, host: `localhost:${node.port}` },
    })
    return status === 200 ? JSON.parse(body).keys : undefined
  }

  /** Posts to a path below the organization's keys. */
  post(node: TortureNode, path: string, body: object): Promise<Answer> {
    return post(node, `/api/organizations/${this.#organization}/keys${path}`, body, this.#cookie)
  }
}

function post(node: TortureNode, path: string, body: object, cookie: string): Promise<Answer> {
  const origin = `http://localhost:${node.port}`
  return node.ask(path, {
    method: 'POST',
    headers: { origin, host: `localhost:${node.port}`, cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
