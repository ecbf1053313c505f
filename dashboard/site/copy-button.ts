const SAID_FOR_MS = 2_000

/** Lets the button beside a block of code copy it, and say so. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.addEventListener('click', () => copy(button))
  }
}

/** Over plain http to another machine, browsers offer no clipboard: then the code is marked, to be copied by hand. */
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
  }, SAID_FOR_MS)
}
