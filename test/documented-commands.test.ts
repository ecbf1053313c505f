import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS_ELSEWHERE } from './support/commands-elsewhere.ts'
import { documentedCommands, elsewhereOf, isSlotsCommand } from './support/documented-commands.ts'
import { ROOT } from './support/source-files.ts'

const COMMANDS = documentedCommands().flatMap(({ where, commands }) => commands.map((command) => ({ where, command })))

test('each documented command is run by a test or listed with the reason why not', () => {
  assert.ok(COMMANDS.length > 150)
  const open = COMMANDS.filter(({ command }) => !isSlotsCommand(command) && elsewhereOf(command) === undefined)
  assert.deepEqual(open, [])
})

test('the list of commands that are not run has an existing test or a reason, and matches a command', () => {
  const stale = COMMANDS_ELSEWHERE.filter((entry) => !COMMANDS.some(({ command }) => elsewhereOf(command) === entry[1]))
  assert.deepEqual(stale, [])
  const missing = COMMANDS_ELSEWHERE.filter(([, where]) => 'test' in where && !existsSync(join(ROOT, where.test)))
  assert.deepEqual(missing, [])
})
