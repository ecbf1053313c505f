import { listAccounts, listOperatedOrganizations, makeResetLink } from './accounts/operator-people.ts'
import { listAlertWays, testAlerts } from './alerts/operator-alerts.ts'
import { exportAudit, listAudit } from './audit/audit.ts'
import { exploreDays, exploreSlots } from './explore/explore.ts'
import { showCheck, startCheck, stopCheck } from './feed-checks/operator-checks.ts'
import type { Guarded } from './guards.ts'
import { showHealth } from './health/health.ts'
import { uploadFile } from './imports/uploads.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from './invitations/invitations.ts'
import { createKey, listKeys, listRequests, revokeKey, rotateKey, showKey } from './keys/keys.ts'
import { claimSetup, deleteMe, showMe, showOptions } from './me/me.ts'
import { changeRole, leave, listMembers, removeMember, transfer } from './members/members.ts'
import {
  createOrganization,
  deleteOrganization,
  renameOrganization,
  showOrganization,
} from './organizations/organizations.ts'
import { listSourceLog } from './sources/source-log.ts'
import {
  acceptSource,
  addSource,
  changeSource,
  checkSource,
  listSources,
  removeSource,
  showOpenSlots,
  showSource,
  syncSource,
} from './sources/sources.ts'
import { exportUsage, showUsage } from './usage/usage.ts'

/** A path, a method, what it asks of whoever calls it, and what answers. */
export type Route = Guarded & {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
}

const ORG = '/api/organizations/:org'
const SOURCE = '/api/operator/sources/:slug'

/** Every route but the sign-in library's: `shapes.ts` says what each takes and answers. GET answers HEAD as well. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/options', guard: 'anyone', answer: showOptions },
  { method: 'GET', path: '/api/me', guard: 'session', answer: showMe },
  { method: 'DELETE', path: '/api/me', guard: 'session', answer: deleteMe },
  { method: 'POST', path: '/api/setup', guard: 'session', answer: claimSetup },

  { method: 'GET', path: '/api/invitations/:token', guard: 'anyone', answer: previewInvitation },
  { method: 'POST', path: '/api/invitations/:token/accept', guard: 'session', answer: acceptInvitation },

  { method: 'POST', path: '/api/organizations', guard: 'session', answer: createOrganization },
  { method: 'GET', path: ORG, guard: 'organization.read', answer: showOrganization },
  { method: 'PATCH', path: ORG, guard: 'organization.rename', answer: renameOrganization },
  { method: 'DELETE', path: ORG, guard: 'organization.delete', answer: deleteOrganization },
  { method: 'POST', path: `${ORG}/transfer`, guard: 'organization.transfer', answer: transfer },
  { method: 'POST', path: `${ORG}/leave`, guard: 'organization.read', answer: leave },

  { method: 'GET', path: `${ORG}/members`, guard: 'members.read', answer: listMembers },
  { method: 'PATCH', path: `${ORG}/members/:user`, guard: 'members.change-role', answer: changeRole },
  { method: 'DELETE', path: `${ORG}/members/:user`, guard: 'members.remove', answer: removeMember },
  { method: 'GET', path: `${ORG}/invitations`, guard: 'invitations.read', answer: listInvitations },
  { method: 'POST', path: `${ORG}/invitations`, guard: 'invitations.create', answer: createInvitation },
  { method: 'DELETE', path: `${ORG}/invitations/:id`, guard: 'invitations.revoke', answer: revokeInvitation },

  { method: 'GET', path: `${ORG}/keys`, guard: 'keys.read', answer: listKeys },
  { method: 'POST', path: `${ORG}/keys`, guard: 'keys.create', answer: createKey },
  { method: 'GET', path: `${ORG}/keys/:key`, guard: 'keys.read', answer: showKey },
  { method: 'POST', path: `${ORG}/keys/:key/rotate`, guard: 'keys.rotate', answer: rotateKey },
  { method: 'POST', path: `${ORG}/keys/:key/revoke`, guard: 'keys.revoke', answer: revokeKey },
  { method: 'GET', path: `${ORG}/keys/:key/requests`, guard: 'usage.read', answer: listRequests },

  { method: 'GET', path: `${ORG}/usage`, guard: 'usage.read', answer: showUsage },
  { method: 'GET', path: `${ORG}/usage.csv`, guard: 'usage.read', answer: exportUsage },
  { method: 'GET', path: `${ORG}/audit`, guard: 'audit.read', answer: listAudit },
  { method: 'GET', path: `${ORG}/audit.csv`, guard: 'audit.read', answer: exportAudit },

  { method: 'GET', path: '/api/explore/slots', guard: 'session', answer: exploreSlots },
  { method: 'GET', path: '/api/explore/days', guard: 'session', answer: exploreDays },

  { method: 'GET', path: '/api/operator/sources', guard: 'operator', answer: listSources },
  { method: 'POST', path: '/api/operator/sources', guard: 'operator', answer: addSource },
  { method: 'POST', path: '/api/operator/sources/check', guard: 'operator', answer: checkSource },
  { method: 'POST', path: '/api/operator/checks', guard: 'operator', answer: startCheck },
  { method: 'GET', path: '/api/operator/checks/:check', guard: 'operator', answer: showCheck },
  { method: 'DELETE', path: '/api/operator/checks/:check', guard: 'operator', answer: stopCheck },
  { method: 'GET', path: SOURCE, guard: 'operator', answer: showSource },
  { method: 'PATCH', path: SOURCE, guard: 'operator', answer: changeSource },
  { method: 'POST', path: `${SOURCE}/accept`, guard: 'operator', answer: acceptSource },
  { method: 'GET', path: `${SOURCE}/open-slots`, guard: 'operator', answer: showOpenSlots },
  { method: 'POST', path: `${SOURCE}/sync`, guard: 'operator', answer: syncSource },
  { method: 'POST', path: `${SOURCE}/upload`, guard: 'operator', answer: uploadFile },
  { method: 'DELETE', path: SOURCE, guard: 'operator', answer: removeSource },
  { method: 'GET', path: '/api/operator/source-log', guard: 'operator', answer: listSourceLog },
  {
    method: 'GET',
    path: '/api/operator/organizations',
    guard: 'operator',
    answer: listOperatedOrganizations,
  },
  { method: 'GET', path: '/api/operator/accounts', guard: 'operator', answer: listAccounts },
  {
    method: 'POST',
    path: '/api/operator/accounts/:user/reset-link',
    guard: 'operator',
    answer: makeResetLink,
  },
  { method: 'GET', path: '/api/operator/health', guard: 'operator', answer: showHealth },
  { method: 'GET', path: '/api/operator/alerts', guard: 'operator', answer: listAlertWays },
  { method: 'POST', path: '/api/operator/alerts/test', guard: 'operator', answer: testAlerts },
]
