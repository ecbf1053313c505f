import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRegions, neighborTile, STATE_TILES, type StateTile, withOtherRegions } from './state-tiles.ts'

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']

test('has one tile for each state and DC', () => {
  assert.equal(new Set(STATE_TILES.map(({ state }) => state)).size, 51)
  assert.equal(STATE_TILES.length, 51)
  assert.equal(new Set(STATE_TILES.map(({ row, column }) => `${row} ${column}`)).size, 51)
})

test('reaches every tile from every other by arrow keys', () => {
  const tiles = withOtherRegions(['PR', 'GU', 'CA-ON', ...Array.from({ length: 12 }, (_, n) => `CA-${n}`)])
  for (const first of tiles) {
    const reached = new Set<StateTile>([first])
    for (const tile of reached)
      for (const key of KEYS) {
        const next = neighborTile(tiles, tile, key)
        if (next !== undefined) reached.add(next)
      }
    assert.equal(reached.size, tiles.length, first.state)
  }
})

test('moves to the nearest tile, and nowhere at the edge', () => {
  const move = (from: string, key: string) => {
    const tile = STATE_TILES.find(({ state }) => state === from) as StateTile
    return neighborTile(STATE_TILES, tile, key)?.state
  }
  assert.equal(move('CA', 'ArrowRight'), 'UT')
  assert.equal(move('AK', 'ArrowRight'), 'ME')
  assert.equal(move('AK', 'ArrowUp'), undefined)
  assert.equal(move('TX', 'ArrowUp'), 'OK')
  assert.equal(move('CA', 'Enter'), undefined)
})

test('counts DC and other regions apart from the states', () => {
  const all = STATE_TILES.map(({ state }) => state)
  assert.equal(countRegions(all), '50 states and DC')
  assert.equal(countRegions(['MA']), '1 state')
  assert.equal(countRegions(['DC']), 'DC')
  assert.equal(countRegions(['MA', 'NH', 'DC', 'PR', 'CA-ON']), '2 states, DC, and 2 other regions')
  assert.equal(countRegions(['CA-ON']), '1 region')
  assert.equal(countRegions([]), '')
})
