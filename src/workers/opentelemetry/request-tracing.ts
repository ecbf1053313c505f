import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { OpenTelemetryConfig } from '../../config/open-telemetry-config.ts'
import { requestIdOf } from '../../http/dispatcher.ts'
import { parseTraceparent } from '../../http/trace-context.ts'
import { matchPath } from '../../http/v1/operations.ts'
import { redact } from '../../lib/redact.ts'
import { EXPORT_MS_MAX, resourceOf } from './resource.ts'

/** Callers decide whether their requests are traced, so the spans of a thread are limited. */
const SPANS_PER_SECOND_MAX = 200

/**
 * Exports a span for a share of the requests of one thread, and for those whose callers trace them, by OTLP over HTTP. A request that is
 * not traced costs one random number. Spans that the collector does not take are dropped.
 */
export class RequestTracing {
  readonly #provider: BasicTracerProvider
  readonly #tracer: Tracer
  readonly #sampleRatio: number
  readonly #propagator = new W3CTraceContextPropagator()
  #second = 0
  #spansInSecond = 0

  constructor(config: OpenTelemetryConfig) {
    const { endpoint, headers, sampleRatio } = config
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: EXPORT_MS_MAX })
    this.#provider = new BasicTracerProvider({
      resource: resourceOf(config),
      // A span is made only for a request that is traced.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS_MAX })],
    })
    this.#tracer = this.#provider.getTracer('scheduling-slots')
    this.#sampleRatio = sampleRatio
  }

  /** Comes before the listener that handles the requests. */
  readonly onRequest: RequestListener = (request, response) => {
    if (this.#isTraced(request)) this.#trace(request, response)
  }

  /** Exports what is left. */
  async stop(): Promise<void> {
    await this.#provider.shutdown().catch(() => undefined)
  }

  #isTraced({ headers }: IncomingMessage): boolean {
    const parent = parseTraceparent(headers.traceparent)
    return (parent?.isSampled ?? Math.random() < this.#sampleRatio) && this.#hasRoom()
  }

  #hasRoom(): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#spansInSecond = 0
    }
    return this.#spansInSecond++ < SPANS_PER_SECOND_MAX
  }

  #trace(request: IncomingMessage, response: ServerResponse): void {
    const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, {
      get: (headers, name) => headers[name],
      keys: Object.keys,
    })
    const { name, attributes } = describe(request)
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
    // A request without its own ID gets that of its trace, so that the response, the logs and the trace name each other.
    request.headers['x-request-id'] ??= span.spanContext().traceId
    span.setAttribute('http.request.header.x-request-id', [requestIdOf(request)])
    response.once('close', () => {
      const { statusCode, writableFinished } = response
      span.setAttribute('http.response.status_code', statusCode)
      if (!writableFinished) span.setAttribute('error.type', 'aborted')
      else if (statusCode >= 500) span.setAttribute('error.type', String(statusCode))
      if (!writableFinished || statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
  }
}

/** By the semantic conventions for HTTP servers. The query is left out: it can show where a person looks for care. */
function describe({ method = '', url = '/', httpVersion }: IncomingMessage): { name: string; attributes: Attributes } {
  const route = matchPath(url)?.path
  return {
    name: route === undefined ? method : `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'url.scheme': 'http',
      'url.path': redact(url.split('?', 1)[0]),
      'network.protocol.version': httpVersion,
      ...(route !== undefined && { 'http.route': route }),
    },
  }
}
