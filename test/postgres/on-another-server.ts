import { test } from 'node:test'
import pg from 'pg'
import { conformance } from '../support/store/conformance/conformance.ts'

// The conformance suite on an external server: another version, a cloud service or a compatible cluster.
//
//     TEST_DATABASE_URL=postgres://me@db.example.org/postgres node --test test/postgres/on-another-server.ts
//
// It creates databases called slots_conformance_… there, and drops each of them.

const url = process.env.TEST_DATABASE_URL
if (!url) throw new Error('Cannot test: TEST_DATABASE_URL must be a URL of a role that may create databases')
let databases = 0

const tests = conformance(async () => {
  const name = `slots_conformance_${process.pid}_${++databases}`
  await command(`create database ${name}`)
  const there = new URL(url)
  there.pathname = `/${name}`
  return { url: there.href, drop: () => command(`drop database ${name} with (force)`) }
})
for (const { name, run } of tests) test(name, run)

async function command(sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
