import { setTimeout as sleep } from 'node:timers/promises'
import { manifest, ndjson, type Published, Publisher } from '../support/feeds/publisher.ts'
import { FeedHistory, type FeedSize, STATES, type Version } from './feed-history.ts'

/** The longest delay of a file, so that kills of nodes and primaries interrupt syncs. */
const FILE_MS_MAX = 600

/** The number of versions whose files are kept: a sync of an older one fails. */
const VERSIONS_KEPT = 30

/**
 * Several feeds on one server, each of which can be changed at any time. The URLs of slot files contain the version, so a sync reads one
 * version even if others are published meanwhile.
 */
export class ChangingPublisher implements AsyncDisposable {
  readonly histories: readonly FeedHistory[]
  readonly #server: Publisher

  private constructor(server: Publisher, histories: readonly FeedHistory[]) {
    this.#server = server
    this.histories = histories
  }

  static async open(sizes: Readonly<Record<string, FeedSize>>): Promise<ChangingPublisher> {
    const histories = Object.entries(sizes).map(([slug, size], number) => new FeedHistory(slug, { ...size, number }))
    const publisher = new ChangingPublisher(await Publisher.open({}), histories)
    for (const history of histories) publisher.#publish(history)
    return publisher
  }

  urlOf({ slug }: FeedHistory): string {
    return `${this.#server.origin}/${slug}/$bulk-publish`
  }

  change(history: FeedHistory): Version {
    const version = history.change()
    this.#publish(history)
    return version
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }

  #publish({ slug, latest }: FeedHistory): void {
    const { files } = this.#server
    const halves = [0, 1].map((half) => `/${slug}/${latest.number}/slots-${half}`)
    files[`/${slug}/locations`] = ndjson(...STATES.map(locationIn))
    files[`/${slug}/schedules`] = ndjson(...STATES.map(scheduleIn))
    for (const [half, path] of halves.entries()) files[path] = slotsOf(latest, half)
    files[`/${slug}/$bulk-publish`] = manifest(
      {
        [`/${slug}/locations`]: 'Location',
        [`/${slug}/schedules`]: 'Schedule',
        [halves[0]]: 'Slot',
        [halves[1]]: 'Slot',
      },
      { transactionTime: new Date().toISOString() },
    )
    for (const half of [0, 1]) delete files[`/${slug}/${latest.number - VERSIONS_KEPT}/slots-${half}`]
    this.#server.asked()
  }
}

function locationIn(state: string, at: number) {
  return { resourceType: 'Location', id: `location-${at}`, name: `Clinic ${state}`, address: { state } }
}

function scheduleIn(_state: string, at: number) {
  return { resourceType: 'Schedule', id: `schedule-${at}`, actor: [{ reference: `Location/location-${at}` }] }
}

/** A file of every second slot, written after a random delay. */
function slotsOf(version: Version, half: number): Published {
  return async (_request, response) => {
    await sleep(Math.random() * FILE_MS_MAX)
    const slots = version.slots.filter((_, at) => at % 2 === half)
    response.end(
      ndjson(
        ...slots.map(({ id, scheduleId, status, startMs, bookingDeepLink }) => ({
          resourceType: 'Slot',
          id,
          schedule: { reference: `Schedule/${scheduleId}` },
          status,
          start: new Date(startMs).toISOString(),
          end: new Date(startMs + 900_000).toISOString(),
          extension: [{ url: BOOKING_DEEP_LINK, valueUrl: bookingDeepLink }],
        })),
      ),
    )
  }
}

const BOOKING_DEEP_LINK = 'http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link'
