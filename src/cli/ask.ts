import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal; Ctrl-C and Ctrl-D answer nothing. Undefined without a terminal. */
export const ask =
  process.stdin.isTTY && process.stderr.isTTY
    ? async (question: string): Promise<string> => {
        const terminal = createInterface({ input: process.stdin, output: process.stderr })
        const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
        try {
          return await Promise.race([terminal.question(question), closed])
        } finally {
          terminal.close()
        }
      }
    : undefined
