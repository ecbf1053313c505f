// Hot path: called for every slot that a sync reads.
import type { Offering } from './slot.ts'

/**
 * Whether a resource behind an offering is labeled as test data: `HTEST` of HL7's reasons for use, in `meta.tag` or
 * `meta.security`. Codes are compared, not code systems.
 */
export function isTestData(offering: Offering): boolean {
  if (offering !== recent) {
    recent = offering
    isRecentTestData = hasTestLabel(offering)
  }
  return isRecentTestData
}

/** Neighboring slots share an offering. */
let recent: Offering | undefined
let isRecentTestData = false

function hasTestLabel({ details }: Offering): boolean {
  if (details?.resources === undefined) return false
  for (const resources of Object.values(details.resources))
    for (const { tag, security } of resources) if (tag?.some(isTestLabel) || security?.some(isTestLabel)) return true
  return false
}

function isTestLabel({ code }: { readonly code?: string }): boolean {
  return code === 'HTEST'
}
