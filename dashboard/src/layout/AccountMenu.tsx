import { ActionIcon, Avatar, Menu, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { useSignOut } from '../api/sign-in.ts'
import { IconLogout, IconUserCog } from '../components/icons.tsx'
import { initialOf } from '../components/names.ts'

/** Shows who is signed in, with links to the account and to sign out. */
export function AccountMenu() {
  const me = useMe()
  const signOut = useSignOut()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label="Your account">
          <Avatar size={28} radius="xl" color="teal" aria-hidden>
            {initialOf(me.name || me.email)}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate dir="auto" title={me.name}>
            {me.name}
          </Text>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/app/account" leftSection={<IconUserCog size={16} aria-hidden />}>
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
