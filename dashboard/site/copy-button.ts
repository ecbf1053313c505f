const LABEL_DURATION_MS = 2_000

/** Connects the copy buttons of code blocks. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.addEventListener('click', () => copy(button))
  }
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
