import { type DragEvent, useEffect } from 'react'

/** Drop handlers for an element. Drops elsewhere are ignored, because the browser would navigate to the file. */
export function useFileDrop(take: (file: File) => void) {
  useEffect(() => {
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
  return {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files
      if (file === undefined) return
      event.preventDefault()
      take(file)
    },
  }
}

function refuse(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer === null || !hasFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files')
}
