import { assertPublicHost, PrivateAddress } from '../sources/web/public-address.ts'
import { type Call, type Command, textOption } from './command.ts'
import { parseEvery, parseFeedUrl, parseSlug } from './parse-operand.ts'
import { PROGRAM } from './program.ts'
import { viewSource } from './source-view.ts'
import { withStore } from './with-store.ts'

/** `source add <slug> <manifest-url>`. Throws `NameTaken`. */
export const sourceAdd: Command = {
  operands: [{ name: 'slug' }, { name: 'manifest-url' }],
  options: {
    every: {
      value: '<minutes>',
      means: 'how often to read it, from 1 (default: as its publisher says, else SYNC_EVERY_MINUTES)',
    },
    strict: { means: 'reject what the specification forbids, instead of reading it leniently' },
  },
  explanation: `The slug is your name of the publisher: lower-case letters, digits and hyphens; it stands in each of its slots. The URL is that of
the feed's manifest, which usually ends in $bulk-publish: put it in single quotes, or the shell takes the $ for its own.
A running service reads the feed at once. Private and loopback addresses need ALLOW_PRIVATE_SOURCES=true.`,
  examples: [
    "source add example 'https://publisher.example/$bulk-publish'",
    "source add example 'https://publisher.example/$bulk-publish' --every 15 --strict",
  ],
  async run(call) {
    const slug = parseSlug(call.operands[0])
    const url = parseFeedUrl(call.operands[1])
    const every = textOption(call, 'every')
    const source = {
      slug,
      url: url.href,
      strict: call.options.has('strict'),
      ...(every !== undefined && { everyMs: parseEvery(every) }),
    }
    const added = await withStore(call, (store) => store.sources.add(source))
    call.print(viewSource(added), `Added source ${slug}: ${url.href}\nRead it now: ${PROGRAM} sync ${slug}`)
    warnOfPrivateHost(call, url)
  },
}

/** A warning only: the service that reads it may run in another environment than this command. */
function warnOfPrivateHost(call: Call, url: URL): void {
  if (!call.config.allowPrivateSources && isPrivateHost(url)) {
    call.tell(
      `Warning: ${url.hostname} is a private address: it is only read where ALLOW_PRIVATE_SOURCES=true is set.`,
    )
  }
}

function isPrivateHost(url: URL): boolean {
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return true
  try {
    assertPublicHost(url)
    return false
  } catch (fault) {
    if (fault instanceof PrivateAddress) return true
    throw fault
  }
}
