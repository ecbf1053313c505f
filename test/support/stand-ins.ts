import type { SampleService } from './sample-service.ts'

/** The example values of the documentation, and their replacements in the tested service. */
export class StandIns {
  readonly #real: ReadonlyMap<string, string>

  private constructor(real: ReadonlyMap<string, string>) {
    this.#real = real
  }

  /** `origin`: the address of the service. */
  static async of({ service, key }: SampleService, origin: string): Promise<StandIns> {
    const get = (path: string, accept = 'application/json') =>
      fetch(`${service.origin}${path}`, { headers: { authorization: `Bearer ${key}`, accept } })
    const page = await get('/v1/scheduling/slots')
    const { slots } = await page.json()
    const { headers } = await fetch(`${service.origin}/v1/scheduling/slots`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' },
    })
    const manifest = await (await get('/v1/fhir/$bulk-publish')).json()
    const file = manifest.output.find(({ url }: { url: string }) => url.includes('Slot-MA'))
    const updatePage = lastSegment(manifest.link[0].url)
    const [store, revision] = updatePage.split('.')
    // From the empty store.
    const update = await (await get(`/v1/fhir/updates/${store}.0~${revision}.json`)).json()
    const subscription = await subscribe(service.origin, key)
    return new StandIns(
      new Map([
        ['http://localhost:8080', origin],
        ['__BASE_URL__', origin],
        ['0g3f8k2m5q7r9s1t4v6a8c0e', slots[0].id],
        ['7x2k9v0a.1c', headers.get('slots-revision') ?? ''],
        ['"41.1042-5e1f"', page.headers.get('etag') ?? ''],
        ['Slot-MA~5k.31~k3x0.ndjson', lastSegment(file.url)],
        ['5k.31.json', updatePage],
        ['Slot~5k.2f~31~k3x0.ndjson', lastSegment(update.output.at(-1).url)],
        ['sub_2w4y6z8b0d1f3h5j7k9m2n', subscription.id],
        ['evt_2w4y6z8b0d1f3h5j7k9m2n', subscription.deliveryId],
      ]),
    )
  }

  putInto(text: string): string {
    return [...this.#real].reduce((filled, [example, real]) => filled.replaceAll(example, real), text)
  }
}

/** A subscription whose address is never verified, and the delivery that tries to. */
async function subscribe(origin: string, key: string): Promise<{ id: string; deliveryId: string }> {
  const path = `${origin}/v1/scheduling/subscriptions`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://receiver.invalid/', filters: {} })
  const { id } = await (await fetch(path, { method: 'POST', headers, body })).json()
  const { deliveries } = await (await fetch(`${path}/${id}/deliveries`, { headers })).json()
  return { id, deliveryId: deliveries[0].id }
}

function lastSegment(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}
