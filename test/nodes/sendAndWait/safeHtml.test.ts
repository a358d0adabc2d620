import { safeHtml } from '../../../nodes/Messaging/sendAndWait/safeHtml';

test.each([
	[
		'<p>Hi <b>you</b><br>there&nbsp;&amp; here</p>',
		'<p>Hi <b>you</b><br>there&nbsp;&amp; here</p>',
	],
	['<P CLASS="x" onclick=alert(1)>Hi</P>', '<p>Hi</p>'],
	['<script>alert(1)</script><style>*{}</style>Hi', 'Hi'],
	['<script>never closed <b>Hi', ''],
	['<!-- hidden --><b>Hi</b><!-- open', '<b>Hi</b>'],
	['<img src=x onerror=alert(1)><iframe src="https://evil.test"></iframe>Hi', 'Hi'],
	['<input name="field-0"><button>x</button></form></main>Hi', 'xHi'],
	[
		'<a href="https://example.com/?a=1&amp;b=2" onclick="x">terms</a>',
		'<a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">terms</a>',
	],
	['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
	['<a href="&#106;avascript:alert(1)">x</a>', '<a>x</a>'],
	[
		'<a href=\'https://a.test/"onmouseover="x\'>x</a>',
		'<a href="https://a.test/&quot;onmouseover=&quot;x" target="_blank" rel="noopener noreferrer">x</a>',
	],
	['<ul><li>one<li>two</ul>after', '<ul><li>one<li>two</li></li></ul>after'],
	['</div></p>Hi<b><i>x', 'Hi<b><i>x</i></b>'],
	['1 < 2 && 3 > 2 "quoted"', '1 &lt; 2 && 3 &gt; 2 &quot;quoted&quot;'],
	['<b title="a > b">x</b>', '<b> b&quot;&gt;x</b>'],
	['<svg/onload=alert(1)><math><b>x', '<b>x</b>'],
])('keeps only harmless markup of %s', (html, safe) => {
	expect(safeHtml(html)).toBe(safe);
});
