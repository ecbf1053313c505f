import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from './icons.tsx'

/** A link to a file, as a button. `fileName`: by default that of the response. */
export function DownloadLink(props: { href: string; fileName?: string; children: string } & Pick<ButtonProps, 'size'>) {
  const { href, fileName = true, children, ...look } = props
  return (
    <Button
      component="a"
      href={href}
      download={fileName}
      {...look}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {children}
    </Button>
  )
}
