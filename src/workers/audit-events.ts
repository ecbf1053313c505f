/** Events from which the metric `slots_audit_log_up` is derived. */
export const AUDIT_LOG_FAILED = 'audit log could not be written'
export const AUDIT_LOG_RECOVERED = 'audit log is written again'
