const LABEL_DURATION_MS = 2_000

/** Connects the copy buttons of code blocks, and the one that copies the page as Markdown. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.addEventListener('click', () => copy(button))
  }
  const whole = document.querySelector<HTMLButtonElement>('[data-copy-page]')
  if (whole === null || !navigator.clipboard) return
  whole.hidden = false
  whole.addEventListener('click', () => copyPage(whole))
}

async function copyPage(button: HTMLButtonElement): Promise<void> {
  try {
    const response = await fetch(button.dataset.copyPage ?? '')
    if (!response.ok) throw new Error(`status ${response.status}`)
    await navigator.clipboard.writeText(await response.text())
    button.textContent = 'Copied as Markdown'
  } catch {
    button.textContent = 'Could not copy'
  }
  setTimeout(() => {
    button.textContent = 'Copy page'
  }, LABEL_DURATION_MS)
}

/** Without a secure context there is no clipboard: selects the code instead. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement?.querySelector('pre')
  const label = button.querySelector<HTMLElement>('[data-copy-label]')
  if (!code || !label) return
  try {
    await navigator.clipboard.writeText(code.innerText.trimEnd())
    label.textContent = 'Copied'
  } catch {
    getSelection()?.selectAllChildren(code)
    label.textContent = 'Selected'
  }
  button.dataset.copied = ''
  setTimeout(() => {
    label.textContent = 'Copy'
    delete button.dataset.copied
  }, LABEL_DURATION_MS)
}
