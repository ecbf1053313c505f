import { setTimeout as sleep } from 'node:timers/promises'
import { noteFault } from './figures.ts'
import { anyReady, type Scene } from './scene.ts'
import type { Answer, TortureNode } from './torture-node.ts'
import { LOSS, RECONNECTING, STARVED } from './troubles.ts'

/** So many keys live at most; then one is revoked before the next is created. */
const LIVE_MAX = 20

const PAUSE_MS = 120

/** Deadline for a reply. */
const TOLD_MS_MAX = 10_000

const ASK_EVERY_MS = 15

/** How often keys whose creation was never confirmed are revoked, and how long they must have been known. */
const SWEPT_OF_1 = 0.03
const UNTOLD_MS = 30_000

/** A node that just became ready may learn of a key as late as any other. */
const KNOWN_AFTER_MS = 1000

interface Key {
  readonly id: string
  readonly secret: string
  readonly createdAtMs: number
  readonly createdOn: string
}

/**
 * Creates and revokes keys in the dashboard's API, on any node, and looks whether all the others hear of it.
 *
 *     created ──acknowledged──▶ live: let in by every node, for as long as nobody revokes it
 *        live ──acknowledged──▶ dead: refused by every node within a second, for ever
 *     whatever was not acknowledged is left alone: it may have happened, or not
 */
export class KeyKeeper {
  readonly #scene: Scene
  readonly #session: Session
  readonly #live = new Map<string, Key>()
  readonly #dead: Key[] = []
  /** By id, when a listed key was first seen without a confirmed creation: nodes' own clocks may be wrong. */
  readonly #untoldSinceMs = new Map<string, number>()

  private constructor(scene: Scene, session: Session) {
    this.#scene = scene
    this.#session = session
  }

  /** Signs up, founds an organization, and creates the first key. */
  static async open(scene: Scene): Promise<KeyKeeper> {
    const keeper = new KeyKeeper(scene, await Session.open(scene.nodes[0]))
    for (let tries = 0; keeper.#live.size === 0 && tries < 5; tries++) await keeper.#create()
    return keeper
  }

  /** One that every node is to let in. */
  any(): string | undefined {
    const untilMs = performance.now() - KNOWN_AFTER_MS
    const known = [...this.#live.values()].filter(({ createdAtMs }) => createdAtMs < untilMs)
    return known[Math.floor(Math.random() * known.length)]?.secret
  }

  /** Nobody has asked yet that it be revoked. */
  isLive(secret: string): boolean {
    return this.#live.has(secret)
  }

  /** It is older than a second, but the database went away before that was over: who had not heard of it by then could not. */
  wasCutOff(secret: string): boolean {
    const key = this.#live.get(secret)
    if (key === undefined) return false
    const nowMs = performance.now()
    const isRecent = nowMs - this.#heardFromMs(key.createdAtMs) < TOLD_MS_MAX
    return isRecent && this.#scene.troubles.fellInto(key.createdAtMs - 1000, nowMs, ['database'])
  }

  /** In words. */
  describe(secret: string): string {
    const key = this.#live.get(secret)
    const ageMs = Math.round(performance.now() - (key?.createdAtMs ?? Number.NaN))
    return `key ${key?.id}, which was created ${ageMs} ms ago on ${key?.createdOn}`
  }

  /** Until it is over. */
  async keep(): Promise<void> {
    while (!this.#scene.signal.aborted) {
      if (this.#live.size > 3 && Math.random() < this.#live.size / LIVE_MAX / 1.5) await this.#revoke()
      else if (this.#live.size < LIVE_MAX) await this.#create()
      await this.#tryDead()
      if (Math.random() < SWEPT_OF_1) await this.#sweep()
      await sleep(PAUSE_MS * Math.random() * 2)
    }
  }

  /** At the end: every live key on every node, and every dead one. */
  async tryAll(): Promise<void> {
    const { nodes, figures } = this.#scene
    for (const node of nodes) {
      for (const key of this.#live.values()) {
        if (await isLetIn(node, key)) continue
        figures.keysLost++
        noteFault(figures, `${node.name} refuses ${key.id} at the end, which nobody revoked`)
      }
      for (const key of this.#dead) await this.#tryOne(node, key)
    }
  }

  async #create(): Promise<void> {
    const { figures } = this.#scene
    const done = await this.#change('', { name: 'torture' })
    if (done === undefined) return
    const { key, secret } = JSON.parse(done.answer.body)
    if (this.#mayBeLost()) {
      // Otherwise the limit of active keys is reached.
      await this.#session.post(done.node, `/${key.id}/revoke`, {}).catch(() => undefined)
      return
    }
    const created = { id: key.id, secret, createdAtMs: performance.now(), createdOn: done.node.name }
    this.#live.set(secret, created)
    figures.keysCreated++
    if (!(await this.#untilAll(created, true))) figures.keysLost++
  }

  /** Revokes keys whose creation was never confirmed, because an organization has a limit. */
  async #sweep(): Promise<void> {
    const node = anyReady(this.#scene.nodes)
    if (node === undefined) return
    const nowMs = performance.now()
    const listed = await this.#session.list(node).catch(() => undefined)
    const known = new Set([...this.#live.values()].map(({ id }) => id))
    for (const { id, revokedAtMs } of listed ?? []) {
      if (revokedAtMs !== undefined || known.has(id)) continue
      const sinceMs = this.#untoldSinceMs.get(id) ?? nowMs
      this.#untoldSinceMs.set(id, sinceMs)
      if (nowMs - sinceMs < UNTOLD_MS) continue
      await this.#session.post(node, `/${id}/revoke`, {}).catch(() => undefined)
    }
  }

  async #revoke(): Promise<void> {
    const { figures } = this.#scene
    const secret = this.any()
    const key = secret === undefined ? undefined : this.#live.get(secret)
    if (key === undefined) return
    this.#live.delete(key.secret)
    if ((await this.#change(`/${key.id}/revoke`, {})) === undefined) return
    if (this.#mayBeLost()) return
    figures.keysRevoked++
    if (!(await this.#untilAll(key, false))) figures.keysRevived++
    this.#dead.push(key)
  }

  /** Undefined if it was not acknowledged. */
  async #change(path: string, body: object): Promise<{ node: TortureNode; answer: Answer } | undefined> {
    const { nodes, figures } = this.#scene
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

  /** Asks all nodes until each lets the key in, or refuses it. False if one never did. */
  async #untilAll(key: Key, wanted: boolean): Promise<boolean> {
    const { nodes, troubles, figures } = this.#scene
    const fromMs = performance.now()
    const told = await Promise.all(
      nodes.map(async (node) => {
        if (!node.isReady) return true
        const { life } = node
        while (performance.now() < this.#heardFromMs(fromMs) + TOLD_MS_MAX) {
          const isIn = await isLetIn(node, key).catch(() => undefined)
          // A node that is killed meanwhile has nothing to be told; the next life reads all anew.
          if (life !== node.life) return true
          const nowMs = performance.now()
          if (isIn === wanted) {
            const isTroubled = troubles.fellInto(fromMs - 1000, nowMs, ['database', RECONNECTING, STARVED])
            if (wanted) figures.creations.note(nowMs - fromMs, isTroubled)
            else {
              figures.revocations.note(nowMs - fromMs, isTroubled)
              figures.lateRevocations.note(Math.max(0, nowMs - this.#heardFromMs(fromMs)), isTroubled)
            }
            return true
          }
          await sleep(ASK_EVERY_MS)
        }
        noteFault(figures, `${node.name} was never told that ${key.id} was ${wanted ? 'created' : 'revoked'}`)
        return false
      }),
    )
    return told.every((each) => each)
  }

  /** From when on nodes can hear of a change of that time: not while the database is away. */
  #heardFromMs(changedMs: number): number {
    const { troubles } = this.#scene
    const nowMs = performance.now()
    const isTroubled = troubles.fellInto(changedMs - 1000, nowMs, ['database'])
    return isTroubled ? Math.max(changedMs, Math.min(nowMs, troubles.overSinceMs(['database']))) : changedMs
  }

  /** A change that is confirmed now may be lost: nothing is expected of it. */
  #mayBeLost(): boolean {
    const nowMs = performance.now()
    return this.#scene.troubles.fellInto(nowMs, nowMs, [LOSS])
  }

  async #tryDead(): Promise<void> {
    const node = anyReady(this.#scene.nodes)
    const key = this.#dead[Math.floor(Math.random() * this.#dead.length)]
    if (node !== undefined && key !== undefined) await this.#tryOne(node, key)
  }

  async #tryOne(node: TortureNode, key: Key): Promise<void> {
    if ((await isLetIn(node, key).catch(() => undefined)) !== true) return
    this.#scene.figures.keysRevived++
    noteFault(this.#scene.figures, `${node.name} lets ${key.id} in, which was revoked`)
  }
}

async function isLetIn(node: TortureNode, { secret }: Key): Promise<boolean | undefined> {
  const { status } = await node.ask('/v1/scheduling/slots?limit=1', {
    headers: { authorization: `Bearer ${secret}` },
  })
  return status === 200 ? true : status === 401 ? false : undefined
}

interface ListedKey {
  readonly id: string
  readonly revokedAtMs?: number
}

/** A person who is signed in, on all nodes: sessions are in the store. */
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
    const founded = await post(node, '/api/organizations', { name: 'Torture' }, cookie.join('; '))
    const { id } = JSON.parse(founded.body)
    if (id === undefined) throw new Error(`Cannot go on: an organization must be founded: got ${founded.body}`)
    return new Session(cookie.join('; '), id)
  }

  /** The organization's keys, or undefined if they could not be had. */
  async list(node: TortureNode): Promise<ListedKey[] | undefined> {
    const { status, body } = await node.ask(`/api/organizations/${this.#organization}/keys`, {
      headers: { cookie: this.#cookie, host: `localhost:${node.port}` },
    })
    return status === 200 ? JSON.parse(body).keys : undefined
  }

  /** Below the organization's keys. */
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
