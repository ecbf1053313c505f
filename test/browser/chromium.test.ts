import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchChromium } from './chromium.ts'

test('finds a browser, from npm or the system, with a font', async () => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Slots</h1>')
    assert.equal(await page.textContent('h1'), 'Slots')
    const { height } = (await page.locator('h1').boundingBox()) ?? assert.fail('it must be laid out')
    assert.ok(height > 10, `${height}`)
  } finally {
    await browser.close()
  }
})
