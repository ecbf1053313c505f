import { defined } from '../lib/optional.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { Values } from './config.ts'

/** The operator of the service, and its public status page. */
export interface ServiceConfig {
  readonly service: ServiceIdentity
  /** `/status` and `/status.json` are served. */
  readonly statusPage: boolean
}

/** The public identity of the operator. Without `STATUS_URL`, the status page of the service itself is linked. */
export function serviceConfig(values: Values): ServiceConfig {
  const ownStatus = values.STATUS_PAGE ? `${values.BASE_URL}/status` : undefined
  return {
    service: {
      name: values.SERVICE_NAME,
      ...defined({
        contact: values.OPERATOR_CONTACT,
        termsUrl: values.TERMS_URL,
        privacyUrl: values.PRIVACY_URL,
        statusUrl: values.STATUS_URL ?? ownStatus,
      }),
    },
    statusPage: values.STATUS_PAGE,
  }
}
