import { z } from 'zod'
import { CommandError, defineCommand, option } from './command.ts'
import { withStore } from './store-access.ts'

const LINK = /^(\d{1,15}):([0-9a-f]{64})$/

/** `audit verify`. Throws `CommandError` if the chain is broken. */
export const auditVerify = defineCommand({
  description: `Recomputes the hash chain over all audit logs and reports the first entry that was changed, removed or inserted outside the
service. A person who can write to the database can also compute a new chain: keep the printed head elsewhere and give it to the
next check with --head.`,
  examples: ['audit verify', `audit verify --head 1042:${'0123456789abcdef'.repeat(4)}`],
  input: {
    head: option(
      z.string().regex(LINK, { error: 'must be the head that an earlier check printed: <id>:<hash>' }).optional(),
      '<id:hash>',
      'the head of an earlier check, which the chain must still contain',
    ),
  },
  async run(call, { head: earlier }) {
    const { result, kept } = await withStore(call, async ({ audit }) => {
      const result = await audit.verify()
      return { result, kept: earlier === undefined || (await contains(earlier, audit)) }
    })
    if (!result.intact) {
      throw new CommandError(`The audit log was tampered with: at entry ${result.id}, ${result.reason}.`)
    }
    if (!kept) throw new CommandError(`The audit log was tampered with: it no longer contains the head ${earlier}.`)
    const { entries, head, anchor } = result
    const printed = `${head.id}:${head.hash}`
    const trimmed = anchor.id === 0 ? '' : ` Retention deleted the entries up to ${anchor.id}.`
    call.print({ intact: true, entries, head: printed }, `Intact: ${entries} entries.${trimmed}\nHead: ${printed}`)
  },
})

/** True if the entry has this hash, or retention deleted it. */
async function contains(
  link: string,
  audit: { after(id: number, limit: number): Promise<readonly { id: number; hash: string }[]> },
): Promise<boolean> {
  const [, digits, hash] = LINK.exec(link) ?? []
  const id = Number(digits)
  const [entry] = await audit.after(id - 1, 1)
  if (entry?.id === id) return entry.hash === hash
  return entry !== undefined && entry.id > id
}
