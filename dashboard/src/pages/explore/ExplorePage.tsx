import { PageHeader } from '../../parts/PageHeader.tsx'

export function ExplorePage() {
  return <PageHeader title="Explore slots" />
}
