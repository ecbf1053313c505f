import type { SignInConfig } from '../config/config.ts'
import type { Store } from '../store/contracts/store.ts'
import { GENERATED_SECRET, readAuthSecrets } from './auth-secrets.ts'

/** The result of `encryptAgain()`. */
interface EncryptAgainResult {
  readonly encrypted: number
  /** Rows that none of the secrets decrypts: these people need a new second factor. */
  readonly unreadable: number
  /** The secret in the store was deleted, because another one is configured. */
  readonly deletedGenerated: boolean
}

/** Encrypts all second factors with the current secret. Then a generated secret is deleted if another one is configured. */
export async function encryptAgain(
  settings: SignInConfig,
  { operators, signIn: { queries } }: Pick<Store, 'signIn' | 'operators'>,
): Promise<EncryptAgainResult> {
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
  const deletes = settings.authSecret !== undefined && unreadable === 0
  return { encrypted, unreadable, deletedGenerated: deletes && (await operators.deleteSecret(GENERATED_SECRET)) }
}
