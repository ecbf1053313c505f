import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OrganizationView } from '../../../src/shared/contract/organizations.ts'
import { useMe } from '../api/session.ts'
import { IconCheck, IconPlus, IconSelector } from '../components/icons.tsx'
import { initialOf } from '../components/names.ts'
import classes from './layout.module.css'

/** Shows the current organization and switches to another. */
export function OrganizationMenu({ current }: { current: OrganizationView | undefined }) {
  const { organizations } = useMe()
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton
          className={classes.organizationButton}
          aria-label={current ? `Switch organization. Current: ${current.name}` : 'No organization. Choose one'}
        >
          <Text component="span" size="sm" fw={500} truncate dir="auto" title={current?.name}>
            {current?.name ?? 'No organization'}
          </Text>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.length > 0 && <Menu.Label>Your organizations</Menu.Label>}
        {organizations.map((one) => (
          <Menu.Item
            key={one.id}
            component={Link}
            to={`/app/o/${one.id}/keys`}
            leftSection={
              <Avatar size={24} radius="sm" color="teal" aria-hidden>
                {initialOf(one.name)}
              </Avatar>
            }
            rightSection={one.id === current?.id && <IconCheck size={16} role="img" aria-label="current" />}
          >
            <bdi>{one.name}</bdi>
          </Menu.Item>
        ))}
        {organizations.length > 0 && <Menu.Divider />}
        <Menu.Item component={Link} to="/app/welcome" leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
