import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { FeedFailure } from '../connector.ts'
import { type ClientOptions, type FileRequest, PublisherClient } from './publisher-client.ts'

const servers: Server[] = []

after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** A publisher on loopback that does what a test wants. */
async function publisher(answer: RequestListener): Promise<URL> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`)
}

async function read(
  url: URL,
  options: Partial<ClientOptions & FileRequest> = {},
  signal = new AbortController().signal,
) {
  const { allowPrivate = true, limits, resolve, ...question } = options
  const client = new PublisherClient(
    url,
    { allowPrivate, ...(limits ? { limits } : {}), ...(resolve ? { resolve } : {}) },
    signal,
  )
  try {
    const answer = await client.get(url, { accept: 'application/json', ...question })
    return { ...answer, text: await text(answer.body) }
  } finally {
    client.close()
  }
}

const fails = (promise: Promise<unknown>, reason: RegExp) =>
  assert.rejects(promise, (error) => error instanceof FeedFailure && reason.test(error.message))

test('reads a file, its validators, and for how long it is fresh', async () => {
  const url = await publisher((_, response) => {
    response.writeHead(200, {
      etag: 'W/"1"',
      'last-modified': 'Fri, 24 Mar 2023 20:27:12 GMT',
      'cache-control': 'max-age=60',
      age: '40',
    })
    response.end('hello')
  })
  const { text, notModified, maxAgeMs, validators } = await read(url)
  assert.deepEqual([text, notModified, maxAgeMs], ['hello', false, 20_000])
  assert.deepEqual(validators, { etag: 'W/"1"', lastModified: 'Fri, 24 Mar 2023 20:27:12 GMT' })
})

test('sends validators and accepts 304', async () => {
  const url = await publisher((request, response) => {
    assert.equal(request.headers['if-none-match'], 'W/"1"')
    response.writeHead(304, { etag: 'W/"1"' }).end()
  })
  const { text, notModified } = await read(url, { validators: { etag: 'W/"1"' } })
  assert.deepEqual([text, notModified], ['', true])
})

test('fails on 304 to an unconditional request', async () => {
  await fails(read(await publisher((_, response) => response.writeHead(304).end())), /status must be 200: got "304"/)
})

test('requests and decodes gzip', async () => {
  const url = await publisher((request, response) => {
    assert.equal(request.headers['accept-encoding'], 'gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'.repeat(50_000)))
  })
  assert.equal((await read(url)).text, 'hello'.repeat(50_000))
})

test('uses one connection for many files', async () => {
  const ports = new Set<number | undefined>()
  const url = await publisher((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('x'.repeat(200_000))
  })
  const client = new PublisherClient(url, { allowPrivate: true }, new AbortController().signal)
  for (let file = 0; file < 5; file++) {
    for await (const piece of (await client.get(url, { accept: '*/*' })).body) assert.ok(piece.length > 0)
  }
  client.close()
  assert.equal(ports.size, 1)
})

test('fails on any status but 200 and reports it', async () => {
  for (const status of [201, 204, 206, 400, 401, 404, 500]) {
    await fails(read(await publisher((_, response) => response.writeHead(status).end())), new RegExp(`got "${status}"`))
  }
})

test('reports Retry-After of the publisher', async () => {
  for (const status of [429, 503]) {
    const url = await publisher((_, response) => response.writeHead(status, { 'retry-after': '120' }).end())
    await assert.rejects(read(url), { name: 'FeedFailure', retryAfterMs: 120_000 })
  }
})

test('follows redirects, relative ones too, up to five', async () => {
  const url = await publisher((request, response) => {
    const step = Number(new URL(request.url ?? '', 'http://x').searchParams.get('step'))
    if (step === 5) response.end('there')
    else response.writeHead([301, 302, 303, 307, 308][step], { location: `?step=${step + 1}` }).end()
  })
  const { text, url: end } = await read(url)
  assert.deepEqual([text, end.search], ['there', '?step=5'])
})

test('fails on a redirect loop', async () => {
  const url = await publisher((_, response) => response.writeHead(302, { location: '/feed' }).end())
  await fails(read(url), /more than 5 redirects/)
})

test('fails on redirects to another protocol or without a target', async () => {
  for (const location of ['file:///etc/passwd', 'ftp://example.org/', 'data:,x', 'http://']) {
    await fails(read(await publisher((_, response) => response.writeHead(302, { location }).end())), /must (be|use)/)
  }
  await fails(
    read(await publisher((_, response) => response.writeHead(302).end())),
    /Location of a redirect must be a URL/,
  )
})

test('refuses private addresses by IP, by name and after DNS rebinding', async () => {
  let asked = 0
  const url = await publisher((_, response) => response.end(`secret ${asked++}`))
  await fails(read(url, { allowPrivate: false }), /address must be public: got "127\.0\.0\.1"/)
  await fails(read(new URL(`http://localhost:${url.port}/`), { allowPrivate: false }), /address must be public/)
  const rebound = new URL(`http://public.test:${url.port}/`)
  const resolve: ClientOptions['resolve'] = (_hostname, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  await fails(read(rebound, { allowPrivate: false, resolve }), /address must be public/)
  assert.equal(asked, 0)
})

test('sends a password only to the origin of the feed', async () => {
  const seen: (string | undefined)[] = []
  const other = await publisher((request, response) => {
    seen.push(request.headers.authorization)
    response.end('there')
  })
  const url = await publisher((request, response) => {
    seen.push(request.headers.authorization)
    const location = other.href.replace('//', '//evil:pair@')
    response.writeHead(302, { location }).end()
  })
  url.username = 'us%40er'
  url.password = 'secret'
  assert.equal((await read(url)).text, 'there')
  assert.deepEqual(seen, [`Basic ${btoa('us@er:secret')}`, undefined])
})

test('keeps passwords out of its messages', async () => {
  const url = await publisher((_, response) => response.writeHead(500).end())
  url.password = 'secret'
  await assert.rejects(read(url), (error: Error) => !error.message.includes('secret'))
})

test('fails on an endless body', async () => {
  const url = await publisher((_, response) => {
    const more = (): void => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  await fails(read(url, { limits: { bodyBytesMax: 1_000_000 } }), /body must be at most 1000000 bytes/)
  await fails(read(url, { limits: { wireBytesMax: 1_000_000 } }), /response must be at most 1000000 bytes/)
  await fails(read(url, { bodyBytesMax: 50_000 }), /body must be at most 50000 bytes/)
})

test('fails on a decompression bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const url = await publisher((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  await fails(read(url, { limits: { bodyBytesMax: 1_000_000 } }), /body must be at most/)
})

test('fails on an unrequested content encoding', async () => {
  const url = await publisher((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'))
  await fails(read(url), /content-encoding must be gzip or identity: got "br"/)
})

test('fails if the publisher stops sending', async () => {
  const limits = { idleMs: 300 }
  await fails(read(await publisher(() => {}), { limits }), /no response within 300 ms/)
  await fails(
    read(await publisher((_, response) => response.write('a')), { limits }),
    /no data of the body within 300 ms/,
  )
})

test('fails if the publisher sends too slowly', async () => {
  const url = await publisher((_, response) => {
    const drip = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(drip))
  })
  await fails(read(url, { limits: { idleMs: 30_000, wholeMs: 300 } }), /the body took longer than 300 ms/)
})

test('does not count the time that the reader takes', async () => {
  const url = await publisher((_, response) => response.end('x'.repeat(500_000)))
  const client = new PublisherClient(
    url,
    { allowPrivate: true, limits: { idleMs: 300, wholeMs: 400 } },
    new AbortController().signal,
  )
  let bytes = 0
  for await (const piece of (await client.get(url, { accept: '*/*' })).body) {
    if (bytes === 0) await new Promise((rested) => setTimeout(rested, 600))
    bytes += piece.length
  }
  client.close()
  assert.equal(bytes, 500_000)
})

test('fails on a truncated body: with a length, chunked or compressed', async () => {
  const byLength = await publisher((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half')
    setTimeout(() => response.destroy(), 20)
  })
  const inChunks = await publisher((_, response) => {
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  })
  const compressed = await publisher((_, response) => {
    const half = gzipSync('hello'.repeat(1000)).subarray(0, 30)
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 30 }).end(half)
  })
  for (const url of [byLength, inChunks])
    await fails(read(url), /: the body was truncated: the connection closed early$/)
  await fails(read(compressed), /: the body must be gzip data, as its content-encoding says: unexpected end of file$/)
})

test('fails on a body that is not compressed as its header says', async () => {
  const url = await publisher((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('hello'))
  await fails(read(url), /: the body must be gzip data, as its content-encoding says: incorrect header check$/)
})

test('fails if the connection is refused', async () => {
  const url = await publisher(() => {})
  await new Promise((closed) => servers.at(-1)?.close(closed))
  await fails(read(url), /ECONNREFUSED/)
})

test('fails if the publisher switches protocols', { timeout: 10_000 }, async () => {
  const url = await publisher(({ socket }) =>
    socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  )
  await fails(read(url), /the connection closed without a response/)
})

test('stops with the reason of an abort', async () => {
  const url = await publisher((_, response) => response.write('a'))
  const abort = new AbortController()
  setTimeout(() => abort.abort(new Error('enough')), 50)
  await assert.rejects(read(url, {}, abort.signal), { message: 'enough' })
})

test('sends a request again until a connection is new, if the publisher closes all that were kept', async () => {
  const files = 3
  const seen = new Set<Socket>()
  const held: ServerResponse[] = []
  const url = await publisher(({ socket }, response) => {
    if (seen.has(socket)) {
      socket.destroy()
      return
    }
    seen.add(socket)
    held.push(response)
    // Together, so that each has a connection.
    if (seen.size >= files) for (const each of held.splice(0)) each.end('hello')
  })
  const client = new PublisherClient(url, { allowPrivate: true }, new AbortController().signal)
  try {
    await Promise.all(Array.from({ length: files }, async () => text((await client.get(url, {})).body)))
    assert.equal(await text((await client.get(url, {})).body), 'hello')
    assert.equal(seen.size, files + 1)
  } finally {
    client.close()
  }
})
