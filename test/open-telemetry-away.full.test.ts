import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from './support/free-port.ts'
import { RunningService } from './support/running-service.ts'

test('a node serves and stops without its collector', async () => {
  await using service = await RunningService.prepare()
  service.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await freePort()}`
  service.env.OTEL_TRACES_SAMPLER_ARG = '1'
  const key = await service.createKey()
  await service.serve()
  assert.equal((await service.slots(key, '')).status, 200)
  assert.equal(await service.stop(), 0)
})
