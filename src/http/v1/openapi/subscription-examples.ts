export const EXAMPLE_NEW_SUBSCRIPTION = {
  url: 'https://app.example.com/slots',
  filters: { state: 'MA', isVirtual: true },
  minIntervalSeconds: 60,
}

export const EXAMPLE_SUBSCRIPTION = {
  id: 'sub_5f0c1b7e9a2d4c6e8f01',
  ...EXAMPLE_NEW_SUBSCRIPTION,
  events: ['slots.opened'],
  status: 'pending',
  createdAt: '2026-06-01T12:00:00.000Z',
  createdBy: 'key web (…9Qx2)',
  updatedAt: '2026-06-01T12:00:00.000Z',
  heldBack: {},
}

export const EXAMPLE_DELIVERY = {
  id: 'evt_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  type: 'slots.opened',
  status: 'delivered',
  total: 2,
  createdAt: '2026-06-01T12:01:00.000Z',
  attempts: 1,
  attemptedAt: '2026-06-01T12:01:00.020Z',
  endedAt: '2026-06-01T12:01:00.140Z',
  responseStatus: 200,
  responseMs: 118,
}
