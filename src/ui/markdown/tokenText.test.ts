import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { plainOf, safeImage, safeLink } from './tokenText.ts';

describe('what a Markdown text names', () => {
  test.each([
    ['https://a.example/x?y#z', 'https://a.example/x?y#z'],
    ['HTTP://a.example', 'http://a.example/'],
    ['javascript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
    ['//a.example/x', undefined],
    ['/relative', undefined],
  ])('a link to %s leads to %s', (href, safe) => {
    expect(safeLink(href)).toBe(safe);
  });

  test('a picture is drawn only where it came along', () => {
    expect(safeImage('data:image/png;base64,AAAA')).toBe('data:image/png;base64,AAAA');
    expect(safeImage('https://a.example/i.png')).toBeUndefined();
    expect(safeImage('data:image/svg+xml;base64,AAAA')).toBeUndefined();
  });

  test('HTML stays text', () => {
    const [token] = lexer('<img src=x onerror=alert(1)> & more');
    expect(token && plainOf(token)).toContain('<img src=x onerror=alert(1)>');
  });
});
