import { test } from 'node:test'
import { staysEqual } from './support/http/follow-directory.ts'

test('a second instance stays equal through many random changes, restarts, restores and purges', (t) =>
  staysEqual(t, 100))
