import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'

// The example in TypeScript is tested with the package of the client.
for (const [language, command, option] of [
  ['sh', 'bash', '-c'],
  ['python', 'python3', '-c'],
]) {
  const skip = spawnSync(command, ['--version']).status !== 0 && `this machine has no ${command}`
  test(`the stream of the guide in ${language} writes a change as it is committed, on any thread`, {
    skip,
  }, async () => {
    await using sample = await SampleService.serve({ slots: 1000, env: { WORKERS: '2' } })
    const code = exampleOf(language).replaceAll('http://localhost:8080', sample.service.origin)
    const env = { ...process.env, SLOTS_API_KEY: sample.key }
    const child = spawn(command, [option, code], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    try {
      // The first may be committed before the stream begins.
      for (let n = 0; !output.includes('added'); n++) {
        assert.ok(n < 30, output)
        await sample.service.run('source', 'add', `more-${n}`, sample.publisherUrl)
        await Promise.race([once(child.stdout, 'data'), sleep(2000)])
      }
    } finally {
      process.kill(-Number(child.pid))
    }
  })
}

function exampleOf(language: string): string {
  const guide = readFileSync(join(ROOT, 'docs/guide/mirroring.md'), 'utf8')
  const found = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, name, code]) => name === language && code.includes('text/event-stream'),
  )
  assert.ok(found)
  return found[2]
}
