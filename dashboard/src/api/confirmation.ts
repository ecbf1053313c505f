import { ApiError } from './client.ts'

/** Asks the visitor to confirm their identity. False if they cancel. */
type AskConfirmation = () => Promise<boolean>

let ask: AskConfirmation | undefined
let asking: Promise<boolean> | undefined

/** Registers the dialog that asks. Returns its removal. */
export function onConfirmationRequired(dialog: AskConfirmation): () => void {
  ask = dialog
  return () => {
    if (ask === dialog) ask = undefined
  }
}

/** Sends a request. If it requires a confirmation, asks for it and sends the request again. */
export async function withConfirmation<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation-required' || ask === undefined) throw error
    asking ??= ask().finally(() => {
      asking = undefined
    })
    if (!(await asking)) throw error
    return send()
  }
}
