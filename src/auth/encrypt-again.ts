import type { SignInConfig } from '../config/config.ts'
import type { Store } from '../store/contracts/store.ts'
import { GENERATED_SECRET, readAuthSecrets } from './auth-secrets.ts'

/** The result of `encryptAgain()`. */
interface EncryptAgainResult {
  readonly encrypted: number
  /** Secrets that none of the keys decrypts: these people need a new second factor, and subscriptions a rotation. */
  readonly unreadable: number
  /** The secret in the store was deleted, because another one is configured. */
  readonly deletedGenerated: boolean
}

/** Encrypts all second factors and the secrets of subscriptions with the current secret. Then a generated secret is deleted if another one is configured. */
export async function encryptAgain(
  settings: SignInConfig,
  store: Pick<Store, 'signIn' | 'operators' | 'subscriptions'>,
): Promise<EncryptAgainResult> {
  const { operators, signIn, subscriptions } = store
  const { queries } = signIn
  const secrets = await readAuthSecrets(settings, operators)
  const rows = await queries.selectFrom('two_factors').select(['id', 'secret']).execute()
  let [encrypted, unreadable] = [0, 0]
  for (const { id, secret: before } of rows) {
    if (secrets.isCurrent(before)) continue
    const secret = await secrets.encryptAgain(before)
    if (secret === undefined) {
      unreadable++
      continue
    }
    // A row that a running node has changed meanwhile stays.
    const { numUpdatedRows } = await queries
      .updateTable('two_factors')
      .set({ secret })
      .where('id', '=', id)
      .where('secret', '=', before)
      .executeTakeFirstOrThrow()
    encrypted += Number(numUpdatedRows)
  }
  for (const { id, secret, previousSecret } of await subscriptions.secrets()) {
    for (const before of [secret, previousSecret]) {
      if (before === undefined || secrets.isCurrent(before)) continue
      const again = await secrets.encryptAgain(before)
      if (again === undefined) unreadable++
      else encrypted += await subscriptions.replaceSecret(id, before, again)
    }
  }
  const deletes = settings.authSecret !== undefined && unreadable === 0
  return { encrypted, unreadable, deletedGenerated: deletes && (await operators.deleteSecret(GENERATED_SECRET)) }
}
