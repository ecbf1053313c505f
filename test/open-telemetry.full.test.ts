import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SLOTS = '/v1/scheduling/slots'

/** Numbers are JSON numbers, or text if they have 64 bits. */
type Value = { stringValue?: string; intValue?: string | number; arrayValue?: { values: Value[] } }
type Attributes = { key: string; value: Value }[]
type Span = { name: string; traceId: string; parentSpanId?: string; attributes: Attributes; status: { code?: number } }
type Point = { asDouble: number; attributes: Attributes; bucketCounts: (string | number)[]; explicitBounds: number[] }
type Metric = { name: string; gauge?: Data; sum?: Data & { isMonotonic: boolean }; histogram?: Data }
type Data = { dataPoints: Point[] }

test('exports the traces of callers and the metrics of monitoring.md', async (t) => {
  const collector = await Collector.start(t)
  await using service = await RunningService.prepare()
  Object.assign(service.env, {
    WORKERS: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20s3cret',
    OTEL_TRACES_SAMPLER_ARG: '0',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  })
  const key = await service.createKey()
  await service.serve()
  const get = (target: string, headers: Record<string, string> = {}) =>
    fetch(`${service.origin}${target}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
  const sampled = { traceparent: `00-${TRACE}-${PARENT}-01` }
  const traced = await get(`${SLOTS}?state=MA`, sampled)
  await get(SLOTS, { traceparent: `00-${TRACE}-${PARENT}-00` })
  await get(SLOTS)
  await get(`/v1/nothing/${key}`, { ...sampled, 'x-request-id': 'mine' })
  await eventually(() => collector.metrics.size > 0)
  await service.stop()

  assert.equal(traced.headers.get('x-request-id'), TRACE)
  const spans = collector.spans.map((span) => ({
    name: span.name,
    traceId: span.traceId,
    parent: span.parentSpanId,
    ...readable(span.attributes),
  }))
  const common = {
    traceId: TRACE,
    parent: PARENT,
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
  }
  assert.deepEqual(
    spans.toSorted((a, b) => b.name.length - a.name.length),
    [
      {
        ...common,
        name: `GET ${SLOTS}`,
        'url.path': SLOTS,
        'http.route': SLOTS,
        'http.request.header.x-request-id': TRACE,
        'http.response.status_code': 200,
      },
      {
        ...common,
        name: 'GET',
        'url.path': '/v1/nothing/svc_sk_[redacted]',
        'http.request.header.x-request-id': 'mine',
        'http.response.status_code': 404,
      },
    ],
  )
  const documented = readFileSync(new URL('../docs/monitoring.md', import.meta.url), 'utf8')
  const names = [...documented.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual([...collector.metrics.keys()].toSorted(), names.toSorted())
  assert.equal(collector.metrics.get('slots_keys')?.gauge?.dataPoints[0].asDouble, 1)
  const requests = collector.metrics.get('slots_http_requests_total')?.sum
  assert.equal(requests?.isMonotonic, true)
  const [histogram] = collector.metrics.get('slots_http_request_duration_seconds')?.histogram?.dataPoints ?? []
  assert.equal(histogram.bucketCounts.length, histogram.explicitBounds.length + 1)
  assert.deepEqual(new Set(collector.authorizations), new Set(['Bearer s3cret']))
  assert.deepEqual(collector.serviceNames, new Set(['scheduling-slots']))
})

/** Receives OTLP over HTTP as JSON. */
class Collector {
  readonly spans: Span[] = []
  /** The last of each name. */
  readonly metrics = new Map<string, Metric>()
  readonly authorizations: (string | undefined)[] = []
  readonly serviceNames = new Set<unknown>()
  readonly #server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    this.authorizations.push(request.headers.authorization)
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of body.resourceSpans ?? body.resourceMetrics) {
      this.serviceNames.add(readable(resource.attributes)['service.name'])
      for (const { spans } of scopeSpans) this.spans.push(...spans)
      for (const { metrics } of scopeMetrics) for (const metric of metrics) this.metrics.set(metric.name, metric)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })

  static async start(t: TestContext): Promise<Collector> {
    const collector = new Collector()
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve))
    t.after(() => collector.close())
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

function readable(attributes: Attributes): Record<string, string | number | undefined> {
  const of = ({ stringValue, intValue, arrayValue }: Value): string | number | undefined =>
    stringValue ?? (intValue === undefined ? arrayValue && of(arrayValue.values[0]) : Number(intValue))
  return Object.fromEntries(attributes.map(({ key, value }) => [key, of(value)]))
}
